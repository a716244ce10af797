// Chains of semiLinear. The equations
//
//   y = semiLinear(x, a, s1), y = semiLinear(x, s1, s2), ..., y = semiLinear(x, sN, b)
//
// of a fluid that flows through parts without changing its temperature determine s1, ..., sN only where x is not zero.
// They are replaced by
//
//   s1 = ... = sN = if x < 0 then b else a,  y = semiLinear(x, a, b),
//
// which says the same where x is not zero, and chooses one of the infinitely many solutions where it is (Modelica 3.6,
// Section 3.7.4.5, rule 1). Where nothing can flow at all, x = 0 and y = 0 by other equations, the two sides have one
// value: y = semiLinear(x, a, b) becomes a = b (rule 2).
#pragma once

#include <unordered_map>

#include "driftless/expr/pool.hpp"

namespace driftless::language {

class Elaboration;

// semiLinear(x, positive, negative), found by the node that it became.
struct SemiLinear {
  NodeId x, positive, negative;
};
using SemiLinears = std::unordered_map<NodeId, SemiLinear>;

void replace_semi_linear_chains(Elaboration& all);

}  // namespace driftless::language
