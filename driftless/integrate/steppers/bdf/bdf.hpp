// BDF with variable order 1 to 5 and variable step size, on F(t, y, y') = 0 of index 1, 2 and 3.
//
// The history (bdf_history.hpp) holds every component, so that a change of states costs only a new matrix. The index of
// a component decides whether it enters the error test, and its weight in Newton's iteration (index_scaling.hpp).
#pragma once

#include <optional>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

// For tests of the order: constant order and step size, without an error test. The past consists of order + 1 points of
// the solution at t0, t0 - step, ..., newest first.
struct FixedFormula {
  int order = 1;
  double step = 0.0;
  std::vector<std::vector<double>> past;
};

std::unique_ptr<Stepper> make_bdf(Problem& problem, const State& start, const StepSettings& settings,
                                  const std::optional<FixedFormula>& fixed = {});

}  // namespace driftless
