// Positions and velocities, as the kinematic relations show them: a slot whose derivative is another slot, which has a
// derivative itself, is a position, and the other one its velocity.
#pragma once

#include <string>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

enum class Motion : std::uint8_t { Algebraic, FirstOrder, Position, Velocity };

struct Coordinates {
  struct Pair {
    int position, velocity;  // slots
  };
  std::vector<Pair> pairs;
  std::vector<Motion> motion;  // of each slot
  std::string why_not;         // not everything that is differentiated is a position or a velocity; empty: it is
};

Coordinates coordinates_of(const Reduced& reduced);

}  // namespace driftless
