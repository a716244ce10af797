#pragma once

#include <span>

namespace driftless {

// Moves a point onto all equations and all levels of all constraints, to rounding. It may outlive the stepper, but not
// the system. False if it cannot; the point is then unchanged.
class PointSolver {
 public:
  virtual ~PointSolver() = default;
  virtual bool operator()(double t, std::span<double> y, std::span<double> yp) = 0;
};

}  // namespace driftless
