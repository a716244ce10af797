// Points that satisfy a derivative array: on the solution, and near its start.
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
  std::string reason;              // why there are none, if there are none
};

// The start and a later point of a run, completed by the higher derivatives from the array (undetermined ones are as
// small as possible), and neighbours of the start in random directions, moved back onto the array.
ConsistentPoints consistent_points(const Analysis& analysis, const DerivativeArrayAt& array);

}  // namespace driftless
