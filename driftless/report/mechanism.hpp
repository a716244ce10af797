// What of a model can be shown moving: what its author declared (__Driftless(animation(...))), or mechanisms that can
// be told from the equations beyond doubt. Where there is doubt, nothing is shown.
//
// Told from the equations are
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

inline constexpr NodeId at_zero{0xffffffffU};  // a coordinate that is 0: it needs no expression

// Nothing is added to the pool of the model: a run with a report gives the same bits as one without.
struct Mechanism {
  std::vector<AnimatedShape> shapes{};  // all of one dimension; empty: nothing to show
  bool is_declared = false;
};

// `highest`: for each variable the order of the highest derivative that is computed. `declared`: what the author wants
// to be seen; if that is something, nothing else is.
Mechanism mechanism_of(const Model& model, const std::vector<int>& highest,
                       const std::vector<AnimatedShape>& declared = {});

// The parts of it, for tests: axis 0, 1, 2 and the name with a mark in the place of the letter or number that names it.
struct AxisOfName {
  int axis = 0;
  std::string stem;
  bool is_subscript = false;
};
std::vector<AxisOfName> axes_of(const std::string& name);

}  // namespace driftless::reporting
