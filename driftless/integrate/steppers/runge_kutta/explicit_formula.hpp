// An explicit tableau with its rows as weights of slopes, and how its steps are controlled.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"
#include "driftless/integrate/steppers/slope_sums.hpp"
#include "driftless/integrate/steppers/step_control.hpp"
#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

struct ExplicitFormula {
  explicit ExplicitFormula(method::Explicit name);
  // One for all runs. A method without a given tableau gets the one that suits the tolerance.
  static std::shared_ptr<const ExplicitFormula> of(const method::ExplicitRungeKutta& method,
                                                   const StepSettings& settings, const CompiledSystem& compiled);

  std::size_t slopes() const { return tableau.stages + tableau.more_c.size(); }
  std::size_t dense_terms() const { return tableau.dense.size() / slopes(); }
  StepControl::Limits limits() const;

  const Tableau tableau;
  std::vector<SlopeSums::Weights> stage_weights, dense_weights;
  const SlopeSums::Weights weights{tableau.b}, error_weights{tableau.error}, low_error_weights{tableau.low_error};
};

}  // namespace driftless
