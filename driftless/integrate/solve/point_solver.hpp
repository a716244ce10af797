#pragma once

#include <span>

#include "driftless/archive/archive.hpp"

namespace driftless {

// Moves a point onto all equations and all levels of all constraints, to rounding. It may outlive the stepper, but not
// the system. False if it cannot; the point is then unchanged.
class PointSolver {
 public:
  virtual ~PointSolver() = default;
  virtual bool operator()(double t, std::span<double> y, std::span<double> yp) = 0;

  // Archives the state on which its results depend: the order of pivots, if it keeps one.
  virtual void archive(Archive& archive) = 0;
};

}  // namespace driftless
