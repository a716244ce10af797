// Steady states of a model, and whether they are stable.
#pragma once

#include <complex>
#include <vector>

#include "driftless/initialize/steady.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// The motion near a steady point is a sum of modes exp(lambda t), one for each degree of freedom.
enum class Stability { NotExamined, NothingMoves, Stable, Marginal, Unstable };

struct SteadyState {
  SteadyPoint point;
  std::vector<std::complex<double>> modes;  // the slowest decaying, or fastest growing, first
  bool has_modes = false;                   // false: too large, or not linear at the point

  double rounding() const;  // real and imaginary parts up to this size count as zero: 1e-9 of the largest mode
  int growing() const;      // modes
  int neutral() const;      // modes that neither grow nor decay
  Stability stability() const;
};

// At time t, by default the start of the model's experiment.
SteadyState find_steady_state(const Analysis& analysis, std::optional<double> t = {});

}  // namespace driftless
