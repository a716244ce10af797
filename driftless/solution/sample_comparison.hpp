// For tests: a comparison with every kind of run.
#pragma once

#include "driftless/solution/comparison.hpp"

namespace driftless {

inline Comparison sample_comparison() {
  const auto cost = [](long steps, long residuals, long jacobians, double seconds) {
    Statistics s;
    s.steps = steps;
    s.residual_evaluations = residuals;
    s.jacobian_evaluations = jacobians;
    s.seconds.integrate = seconds;
    return s;
  };
  Comparison c{.model = "Pendulum",
               .stop = 10.0,
               .reference_method = "taylor",
               .reference_tolerance = 2.5e-10,
               .reference_error = 2e-11,
               .reference_reached = 10.0};
  c.runs = {
      {.formulation = "dummy",
       .tolerance = 1e-4,
       .reached = 10.0,
       .statistics = cost(150, 400, 20, 0.0012),
       .error = 3e-3,
       .drift = {0.0, 2.2e-16, 1.8e-15},
       .times = {0, 5, 10},
       .residual = {0, 0, 0}},
      {.formulation = "dummy",
       .tolerance = 1e-6,
       .reached = 10.0,
       .statistics = cost(301, 900, 34, 0.0123),
       .error = 3e-5,
       .drift = {0.0, 2.2e-16, 1.8e-15},
       .times = {0, 5, 10},
       .residual = {0, 0, 0}},
      {.formulation = "index1",
       .tolerance = 1e-4,
       .reached = 10.0,
       .statistics = cost(137, 362, 19, 0.001),
       .error = 2e-3,
       .drift = {2e-3, 8.4e-4, 5.1e-5},
       .times = {0, 5, 10},
       .residual = {0, 1e-3, 2e-3}},
      {.formulation = "index1",
       .tolerance = 2.5e-7,
       .reached = 10.0,
       .statistics = cost(314, 1000, 23, 1.234),
       .error = 2e-6,
       .drift = {2e-5, 1.3e-5, 5.4e-7},
       .times = {0, 5, 10},
       .residual = {0, 1e-5, 2e-5}},
      {.formulation = "original",
       .tolerance = 1e-4,
       .outcome = Outcome::StepTooSmall,
       .code = Code::StepTooSmall,
       .reached = 0.25,
       .statistics = cost(12, 99, 7, 0.0001),
       .times = {0},
       .residual = {0}},
      {.formulation = "baumgarte:gamma=1", .not_applicable = "there is nothing to stabilize"},
      {.formulation = "ggl", .not_applicable = "there is nothing to stabilize"},
  };
  return c;
}

// Two methods with a constant step and one with a tolerance, with and without projection, and two invariants.
inline Comparison sample_of_methods() {
  Comparison c{.model = "Kepler", .stop = 1.0, .reference_file = "exact.csv", .reference_reached = 1.0};
  c.invariants = {"energy", "momentum"};
  Statistics cost;
  cost.steps = 10;
  cost.largest_condition.matrix = 1e5;
  const std::vector<ComparedRun::Change> changes{{2e-3, {0, 1e-3, 2e-3}}, {0, {0, 0, 0}}};
  c.runs = {
      {.formulation = "dummy",
       .method = "dopri5",
       .projection = "none",
       .tolerance = 1e-6,
       .reached = 1.0,
       .error = 1e-5,
       .times = {0, 0.5, 1},
       .changes = changes},
      {.formulation = "dummy",
       .method = "radau3",
       .projection = "none",
       .step = 0.1,
       .reached = 1.0,
       .statistics = cost,
       .error = 1e-7,
       .times = {0, 0.5, 1},
       .changes = changes},
      {.formulation = "dummy",
       .method = "radau3",
       .projection = "invariants",
       .step = 0.1,
       .reached = 1.0,
       .statistics = cost,
       .error = 1e-8,
       .times = {0, 0.5, 1},
       .changes = changes},
      {.formulation = "dummy", .method = "rattle", .projection = "invariants", .not_applicable = "no constraints"},
      {.formulation = "index1",
       .method = "radau3",
       .projection = "none",
       .step = 0.1,
       .outcome = Outcome::Interrupted,
       .failure = "the run was interrupted",
       .reached = 0.5,
       .times = {0}},
      {.formulation = "index1", .method = "rattle", .projection = "invariants", .not_applicable = "no constraints"},
  };
  return c;
}

}  // namespace driftless
