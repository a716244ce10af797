// In models with steep functions: the states of a stage stay, and the rows give the rest. An exponential that is
// extrapolated, or corrected by the matrix of another point, may be far off.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {

class StagesOnRows {
 public:
  explicit StagesOnRows(Problem& problem);

  void states_changed() { on_rows_.states_changed(); }

  // Is some function steep, and do the rows give all that is no state? Where the equations are kept as F(t, y, y') = 0
  // there are too few states for that.
  bool apply();

  // z_i = Y_i - y for all stages of a step of size h from (t, y). `correction` is what was subtracted from the stages,
  // on return with this change. False if the rows of some stage have no solution.
  bool put(const Stages& stages, double t, double h, std::span<const double> y, std::span<double> z,
           std::span<double> correction);

  // One point; unchanged if the rows have no solution.
  bool put(double t, std::span<double> y, std::span<double> yp) { return on_rows_(t, y, yp); }

  void archive(Archive& archive) { archive(on_rows_); }

 private:
  Problem& problem_;
  bool is_steep_;  // some function is
  AlgebraicSolve on_rows_;
  std::vector<double> y_, yp_;
};

}  // namespace driftless
