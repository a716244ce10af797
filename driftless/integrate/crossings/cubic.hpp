// The cubic on [0, 1] with given values and slopes at both ends.
#pragma once

namespace driftless {

inline double cubic(double x, double g0, double g1, double d0, double d1) {
  const double change = g1 - g0, y = 1.0 - x;
  return y * g0 + x * g1 + x * y * (y * (d0 - change) + x * (change - d1));
}

}  // namespace driftless
