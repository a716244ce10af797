// The initial guess of Newton's iteration for the stages of a Radau step (radau.hpp): the polynomial of the last step.
// In the first step it is the old point, and, if that has failed repeatedly, the line from it with its slope: where the
// equations are nonlinear in the rates, an iteration that starts with rates of 0 may fail at every step size.
#pragma once

#include <span>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {

struct StageGuess {
  const Reduced& reduced;
  const Stages& stages;
  const StagePolynomial* last;  // null: there is none
  double t, h;
  std::span<const double> y, yp;
  std::span<const double> from_start;  // as for StagePolynomial::extrapolate
  bool by_line;                        // use the line if there is no polynomial
};

// z_i = Y_i - y for all stages.
void guess_stages(const StageGuess& guess, std::span<double> z);

}  // namespace driftless
