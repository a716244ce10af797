// Radau IIA with a given number of stages: data that depend on this number alone, computed once for all runs, and the
// stages and the collocation polynomial of one run.
#pragma once

#include <vector>

#include "driftless/integrate/steppers/radau/stage_transformation.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

namespace driftless {

struct RadauFormula {
  static constexpr int fewest = 3, most = 7;  // number of stages, odd

  // `wanted`: the tolerance of the user.
  RadauFormula(Problem& problem, int number_of_stages, double wanted);

  int size() const { return tableau.stages; }

  const Tableau& tableau;
  const StageTransformation& transformation;
  const std::vector<double>& of_error;
  const BetweenNodes& between;
  Stages stages;
  StagePolynomial polynomial;  // of the last step with this formula
  int most_iterations;
  double tolerance;         // of the error estimate
  double newton_tolerance;  // of Newton's iteration, in units of the tolerance
};

}  // namespace driftless
