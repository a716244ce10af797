// May an expression be differentiated with respect to time, or does it jump?
//
// The switches of an expression are its relations, sign, floor and ceil. Each has a switching surface in the space of
// time and variables: u = v for u < v, u = 0 for sign(u), u = 0, ±1, ... for floor(u). The expression is continuous
// there if it has the same value with the switch in either position, although the switch itself jumps: `if x > 0 then x
// else 0`, sign(v)*v^2. This is tested at random points of the surface. To be differentiated k times an expression must
// be continuous together with its derivatives up to order k - 1: the k-th derivative of anything else contains an
// impulse, which its formula does not contain. See docs/kinks.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct Jump {
  NodeId switching;                  // the relation, sign, floor or ceil
  int level = 0;                     // the derivative that jumps: 0 is the expression itself
  bool shown = true;                 // false: a jump could not be excluded, as no point of the surface was found
  double before = 0.0, after = 0.0;  // on the two sides, if `shown`
};

// The jump that keeps the expression from being differentiated `times` times. Expressions that the model promises to be
// smooth are not examined, nor are switches that depend only on variables marked in `resting` (resting.hpp).
std::optional<Jump> find_jump(const Model& model, NodeId expression, int times, const std::vector<bool>& resting = {});

// "floor(4*x) jumps", "it jumps where time = 0.5", "its first derivative jumps where x = 0".
std::string describe(const Jump& jump, const Model& model);

// Advice to the author of the model.
std::string advice(const Jump& jump, const Model& model);

}  // namespace driftless
