// BDF with variable order 1 to 5 and variable step size, on F(t, y, y') = 0 of index 1, 2 and 3.
//
// The history (bdf_history.hpp) holds every component, so that a change of states costs a new matrix and nothing else.
// Who enters the error test, and in which weight Newton's iteration sees a component, follows from its index
// (index_scaling.hpp).
#pragma once

#include <optional>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

// For tests of the order: no error test, but one order and one step size. The past is that of the solution at t0, t0 -
// step, ..., newest first: order + 1 points.
struct FixedFormula {
  int order = 1;
  double step = 0.0;
  std::vector<std::vector<double>> past;
};

std::unique_ptr<Stepper> make_bdf(Problem& problem, const State& start, const StepSettings& settings,
                                  const std::optional<FixedFormula>& fixed = {});

}  // namespace driftless
