// Positions and velocities, found from the kinematic relations: a slot whose derivative is another differentiated slot
// is a position, and the other one its velocity.
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
  std::string why_not;         // a differentiated slot that is neither position nor velocity; empty if there is none
};

Coordinates coordinates_of(const Reduced& reduced);

}  // namespace driftless
