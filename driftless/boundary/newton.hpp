// Newton's iteration for all unknowns of a boundary value problem at once, damped such that the next correction by the
// same matrix is smaller: the natural monotonicity test, with step sizes predicted from the last two corrections
// (Deuflhard 2004, Section 3.3). It does not depend on how the equations are scaled.
#pragma once

#include <string>
#include <vector>

#include "driftless/boundary/collocation.hpp"

namespace driftless::boundary {

struct NewtonReport {
  bool converged = false;
  int iterations = 0;
  std::string reason;                // why it failed
  std::vector<std::string> details;  // the equation that is satisfied least where the iteration ended, and more
};

// For every unknown its largest value plus its nominal value.
Eigen::VectorXd sizes_of(const PointEquations& equations, const Values& values);

// Iterates until a correction is below the accuracy, relative to the sizes of the unknowns. On failure the
// approximation is the last accepted one.
NewtonReport iterate(Collocation& collocation, Approximation& at, double accuracy);

}  // namespace driftless::boundary
