// The stages of one step of an implicit Runge-Kutta method,
//
//   F(t + c_i h, y + Z_i, K_i) = 0,   Z_i = h sum_j a_ij K_j   for components whose derivative occurs.
//
// The unknowns are all Z_i, one stage after the other; for components without a derivative Z_i is the change against
// the old point and the stages are not coupled. With a regular matrix A, K_i = sum_j w_ij Z_j / h, w = A^-1. With an
// explicit first stage (Lobatto IIIA) Z_1 = 0 and K_1 is the slope at the old point; the same holds for the other
// stages, K_i = sum_j w_ij Z_j / h - (sum_j w_ij a_j1) K_1.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"
#include "driftless/integrate/system/residuals_at_points.hpp"

namespace driftless {

// out_i = sum_j matrix_ij in_j for vectors stored one after the other; `matrix` is square, row by row.
void combine(std::span<const double> matrix, std::span<const double> in, std::span<double> out);

// What the tableau alone decides.
struct StageWeights {
  explicit StageWeights(const Tableau& tableau);
  int first, count;                                    // index of the first unknown stage, number of unknown stages
  std::vector<double> nodes, inverse, of_first_slope;  // of these
};

class Stages {
 public:
  Stages(Problem& problem, const StageWeights& weights);
  Stages(Problem& problem, const Tableau& tableau) : Stages(problem, StageWeights(tableau)) {}

  // A step from (t, y) where the slope is yp.
  void begin(double t, double h, std::span<const double> y, std::span<const double> yp);

  int count() const { return m_; }  // of unknown stages
  int size() const { return m_ * n_; }
  double node(int i) const { return nodes_[i]; }
  const std::vector<double>& inverse() const { return inverse_; }  // w, row by row
  double begin() const { return t_; }
  double step() const { return h_; }

  bool residual(std::span<const double> z, std::span<double> out);           // false: a value does not exist
  void value(std::span<const double> z, int i, std::span<double> y) const;   // y + Z_i
  void slope(std::span<const double> z, int i, std::span<double> yp) const;  // K_i, 0 where no derivative occurs

 private:
  Problem& problem_;
  int n_, m_;  // components, number of unknown stages
  std::vector<double> nodes_, inverse_, of_first_slope_;
  double t_ = 0.0, h_ = 0.0;
  std::vector<double> y_, yp_;
  std::vector<double> stages_, slopes_;
  std::vector<System::Point> points_;
  ResidualsAtPoints residuals_;
};

}  // namespace driftless
