// The sensitivities of discrete Real variables, which change at events only.
#pragma once

#include <span>

#include <Eigen/Core>

#include "driftless/sensitivity/directions.hpp"
#include "driftless/sensitivity/local_expression.hpp"
#include "driftless/sensitivity/epoch.hpp"

namespace driftless::sensitivity {

struct DiscreteEvent {
  const Epoch& epoch;  // after it
  const LocalPoint& before;
  std::span<const double> parameters;  // after it
  double closeness = 1e-6;             // within which values are equal
};

// The sensitivities of all parameters after an event. `total`: the total derivatives of everything before it. Throws
// NotAvailable if a discrete variable does not have the value that its equation gives from the earlier values.
Eigen::MatrixXd discrete_behind(const DiscreteEvent& event, const Motion& total);

// At the start, where `motion` are the sensitivities of the continuous quantities; in the rows of `directions`.
void discrete_at_start(const LocalPoint& start, const Motion& motion, double closeness, Directions& directions);

bool has_discrete_reals(const Model& model);

}  // namespace driftless::sensitivity
