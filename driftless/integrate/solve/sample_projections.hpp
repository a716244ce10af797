// For tests: a swinging pendulum, integrated with steps of constant size and a projection.
#pragma once

#include <algorithm>

#include "driftless/integrate/sample_run.hpp"

namespace driftless::samples {

inline Model thrown() { return pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}); }

inline Solution constant_steps(const Projection& projection, method::Explicit tableau, double step, double stop = 1.0,
                               const Formulation& formulation = formulation::Index1{}) {
  return run(thrown(), formulation,
             {.stop = stop,
              .method = method::ExplicitRungeKutta{tableau},
              .projection = projection,
              .step = step,
              .intervals = 1});
}

inline double residual_below_the_highest(const Solution& solution) {
  double largest = 0.0;
  for (const CertificateEntry& entry : solution.certificate)
    if (entry.level < 2) largest = std::max(largest, entry.max_residual);
  return largest;
}

}  // namespace driftless::samples
