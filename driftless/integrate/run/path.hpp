// The path of a model without states: at every time t its rows F(t, y) = 0 are a set of algebraic equations, and y(t)
// is followed from one output point to the next.
//
// The line through the last two points predicts the next one, and Newton's iteration corrects the prediction. A leap
// cannot end on another branch of solutions if
//
//   the iteration contracts by 1/4 from its first correction on: then there is one solution nearby (Deuflhard 2004,
//   Section 5.1), and
//   every unknown that occurs nonlinearly ends near its prediction, which has followed its curvature so far: the first
//   leap is short, and none is more than twice as long as the one before.
//
// Otherwise the leap is halved. An unknown that its block of the block triangular form determines linearly has no other
// branch, however fast it changes: forces that follow from a prescribed motion cost one solve for each output point.
#pragma once

#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/solve/algebraic.hpp"

namespace driftless {

class Path {
 public:
  // From a point that satisfies the rows. `interval`: the length of the whole path.
  Path(Problem& problem, AlgebraicSolve& solve, double t, std::vector<double> y, std::vector<double> yp,
       double interval);

  // Goes towards `t` by one leap; the next leap tries twice the length. False if none is possible: at a fold, or where
  // the equations cease to have values.
  bool leap_towards(double t);

  double time() const { return time_; }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& yp() const { return yp_; }
  const std::vector<double>& y_before() const { return y_before_; }  // where the last leap began
  double time_before() const { return time_before_; }

  void archive(Archive& archive) { archive(time_, time_before_, leap_, y_, yp_, y_before_, slope_, has_slope_); }

 private:
  void find_nonlinear_unknowns();
  void find_slope();
  bool is_sure() const;

  Problem& problem_;
  AlgebraicSolve& solve_;
  double time_, time_before_, shortest_, leap_ = 0.0;
  std::vector<double> y_, yp_, y_before_, slope_, trial_, trial_yp_, predicted_;
  std::vector<int> nonlinear_;  // slots
  bool has_slope_ = false;
};

}  // namespace driftless
