// The driver: one loop for output, pivots, certificate, statistics and outcome, whatever the stepper.
#pragma once

#include <functional>
#include <limits>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/run/pivot_mode.hpp"
#include "driftless/integrate/solve/projection.hpp"
#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/solution/row_sink.hpp"

namespace driftless {

struct IntegrateOptions {
  double stop = 1.0;
  Method method = method::Bdf{};
  Successors successors = {};  // methods that take over where the problem becomes stiff or ceases to be
  Projection projection = projection::None{};
  double tolerance = 1e-6;
  std::optional<double> step = {};
  double longest_step = std::numeric_limits<double>::infinity();  // of a step that the method chooses
  int intervals = 500;                                            // of output points, from `first_output` to `stop`
  std::optional<double> first_output = {};                        // otherwise the start
  PivotMode pivot = PivotMode::Continue;
  double hysteresis = 2.0;  // an exchange of states must improve the conditioning by this factor
  NewtonTest newton = NewtonTest::Two;
  long max_steps = 10'000'000;
  bool count_work = false;                      // in Statistics::operations
  bool dense = false;                           // keep the polynomial of every step in Solution::segments
  std::function<bool(double t)> progress = {};  // called after every step; false interrupts the run
  RowSink rows = {};                            // where the output points go
  // Called after every step with its ends; `observe` gives all quantities, in the order of Reduced::quantities, at a
  // time between them, or false where they do not exist.
  using Observe = std::function<bool(double t, std::span<double> quantities)>;
  std::function<void(double from, double to, const Observe& observe)> step_taken = {};
};

// Fills trajectory, outcome, statistics, certificate, invariants and pivots.
void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution);

}  // namespace driftless
