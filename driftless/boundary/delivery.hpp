// Makes a Solution from a trajectory: output points on all constraints, their certificate, and dense output.
#pragma once

#include <memory>

#include "driftless/boundary/search.hpp"
#include "driftless/solution/row_sink.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::boundary {

struct DeliverySettings {
  double tolerance = 1e-6;
  int intervals = 500;
  bool dense = true;
  RowSink rows = {};
};

// A point that does not satisfy the equations of all levels, or an assertion that is violated, becomes the outcome of
// the solution, with its reason.
void deliver(const std::shared_ptr<System>& system, Trajectory& trajectory, const DeliverySettings& settings,
             Solution& solution);

}  // namespace driftless::boundary
