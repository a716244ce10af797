// The sensitivities of a consistent start: all levels of all equations, fixed starts and initial equations,
// differentiated. If they leave unknowns undetermined, starts that are not fixed replaced the missing conditions
// (initialize/plan.hpp), and the same ones are used here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "driftless/reduce/reduced.hpp"
#include "driftless/sensitivity/directions.hpp"
#include "driftless/sensitivity/variational_array.hpp"

namespace driftless::sensitivity {

struct StartOfRun {
  const Reduced& base;                   // with every level of every equation
  std::shared_ptr<const Model> numbers;  // its model, with the values of the run
  double t = 0.0;
  std::span<const double> parameters;  // as determined at the start
  VariationalArray& array;             // of the run, and
  std::span<const double> quantities;  // its quantities at the start
};

struct StartSensitivity {
  Eigen::MatrixXd quantities;               // of the array of the run
  std::vector<std::string> without_effect;  // directions: starts that are guesses only
};

// Parameters that are unknowns of the start (fixed = false) get their sensitivities in `directions`. Throws
// NotAvailable.
StartSensitivity start_sensitivity(const StartOfRun& start, const std::vector<bool>& moves, Directions& directions);

}  // namespace driftless::sensitivity
