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
  std::string reason;                // why not
  std::vector<std::string> details;  // the equation that is satisfied least where the iteration ended, and more
};

// The largest value that every unknown takes, plus its nominal value.
Eigen::VectorXd sizes_of(const PointEquations& equations, const Values& values);

// Until a correction is below the accuracy, relative to the sizes of the unknowns. On failure the approximation is the
// last one that was accepted.
NewtonReport iterate(Collocation& collocation, Approximation& at, double accuracy);

}  // namespace driftless::boundary
