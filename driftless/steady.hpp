// Steady states of a model, and whether they are stable.
#pragma once

#include <complex>
#include <vector>

#include "driftless/initialize/steady.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// The motion near a steady point is a sum of modes exp(lambda t), one for each degree of freedom.
struct SteadyState {
  SteadyPoint point;
  std::vector<std::complex<double>> modes;  // the slowest decaying, or fastest growing, first
  bool has_modes = false;                   // false: too large, or not linear at the point
};

// At this time, otherwise at the start of the model's experiment.
SteadyState find_steady_state(const Analysis& analysis, std::optional<double> t = {});

}  // namespace driftless
