// Boundary value problems: a model with conditions at both ends of its interval (docs/boundary.md).
//
//   ModelBuilder m("Bratu");
//   auto y = m.variable("y", {.start = 0.0, .fixed = true});
//   m.equation(der(der(y)) == -exp(y));
//   m.final_equation(y == 0.0);
//   const Solution solution = solve_boundary(m.build(), {.tolerance = 1e-8});
//
// Any index is possible. There must be as many conditions as states: fixed starts and initial equations at the start,
// final equations at the end.
#pragma once

#include <optional>

#include "driftless/boundary/method.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct BoundaryOptions {
  std::optional<double> start = {}, stop = {};  // otherwise the model's experiment annotation
  double tolerance = 1e-6;                      // relative, and absolute in units of each variable's nominal value
  std::optional<int> intervals = {};            // of the output; otherwise from the annotation, or 500
  boundary::CollocationMethod method = {};
  std::optional<int> mesh = {};  // a constant mesh with this number of intervals, without an error estimate
  NamedValues from = {};         // parameters: solve with these values first, and follow the solution to the model's
  Backend backend = backend_available(Backend::Adaptive) ? Backend::Adaptive : Backend::Interpreter;
  bool dense = true;
  RowSink rows = {};
};

// Throws ModelError for a bad model and for conditions that cannot be imposed: too few, too many, or on quantities that
// the constraints determine. If no solution is found, or the tolerance is not reached, the outcome says why.
Solution solve_boundary(const Analysis& analysis, const BoundaryOptions& options = {});
Solution solve_boundary(Model model, const BoundaryOptions& options = {});

}  // namespace driftless
