// For models with steep functions: holds the states of a stage and solves the rows for the rest. An exponential that is
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

  // Is some function steep, and do the rows determine everything but the states? They do not where the equations are
  // kept as F(t, y, y') = 0.
  bool apply();

  // z_i = Y_i - y for all stages of a step of size h from (t, y). `correction` is what was subtracted from the stages;
  // on return it includes this change. False if the rows of some stage have no solution.
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
