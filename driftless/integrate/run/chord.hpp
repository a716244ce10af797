// The line between two points, used where a step has no polynomial: dense output solves the equations starting from it.
#pragma once

#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

inline Segment chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to) {
  Segment segment{begin, end, 1, to};
  for (std::size_t i = 0; i < to.size(); ++i) segment.coefficients.push_back(to[i] - from[i]);
  return segment;
}

}  // namespace driftless
