// Points at which a derivative array is satisfied: on the solution, and near its start.
#pragma once

#include <string>
#include <vector>

#include "driftless/indices/derivative_array.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct NamedPoint {
  std::string name;  // "t = 0"
  PointOfIndex point;
};

struct ConsistentPoints {
  std::vector<NamedPoint> points;  // the start comes first
  std::string reason;              // why there is none, if there is none
};

// The start and a later point of a run, completed by the higher derivatives that the array determines (those that it
// leaves open are as small as possible), and neighbours of the start in random directions, moved back onto the array.
ConsistentPoints consistent_points(const Analysis& analysis, const DerivativeArrayAt& array);

}  // namespace driftless
