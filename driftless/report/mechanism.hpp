// The parts of a model that can be animated: those declared by its author (__Driftless(animation(...))), or mechanisms
// recognized with certainty in the equations. In doubtful cases nothing is shown.
//
// The following are recognized in the equations
//   frames   connectors with a position in metres and a force in newton; a part between two of them is a line,
//   points   variables x, y (, z) of equal names but for that letter, or elements r[1], r[2] (, r[3]) in metres, which
//            are twice differentiable and whose squares (of differences) are added somewhere,
//   rods     equations that keep such a sum constant.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/model/animation.hpp"
#include "driftless/model/model.hpp"

namespace driftless::reporting {

inline constexpr NodeId at_zero{0xffffffffU};  // a coordinate that is 0

// Nothing is added to the pool of the model: runs with and without a report give identical results.
struct Mechanism {
  std::vector<AnimatedShape> shapes{};  // all of one dimension; empty: nothing to show
  bool is_declared = false;
};

// `highest`: for each variable the order of the highest derivative that is computed. `declared`: the author's shapes;
// if there are any, only these are shown.
Mechanism mechanism_of(const Model& model, const std::vector<int>& highest,
                       const std::vector<AnimatedShape>& declared = {});

// The parts of it, for tests: axis 0, 1, 2 and the name with a mark instead of the letter or number of the axis.
struct AxisOfName {
  int axis = 0;
  std::string stem;
  bool is_subscript = false;
};
std::vector<AxisOfName> axes_of(const std::string& name);

}  // namespace driftless::reporting
