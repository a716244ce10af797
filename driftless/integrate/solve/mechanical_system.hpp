// A reduced model read as q' = v, v' = a(t, q, z), 0 = d(t, q, z), 0 = g(t, q): which slots are positions q and
// velocities v, which rows and levels are the dynamics d and the constraints g. z are all other unknowns: multipliers,
// and accelerations that rows determine.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

struct MechanicalSystem {
  struct Coordinate {
    int position = 0, velocity = 0;  // slots
    int candidate = 0;  // of the velocity: its rate is the acceleration; -1: only the rows determine the acceleration
  };
  struct Constraint {
    int row = -1, invariant = -1;  // where its level 0 is: the one that is not -1
  };
  std::vector<Coordinate> coordinates;
  std::vector<int> others;    // slots of z
  std::vector<int> dynamics;  // rows d
  std::vector<Constraint> constraints;
};

// The system, or the reason why the model is not of this kind (accelerations of velocities, a mass matrix that is not
// constant, constraints of velocities, ...), naming an equation or a variable.
std::variant<MechanicalSystem, std::string> mechanical_system(const Reduced& reduced);

}  // namespace driftless
