// The coupled equations of one step of an implicit Runge-Kutta method,
//
//   F(t + c_i h, y + Z_i, K_i) = 0,   Z_i = h sum_j a_ij K_j   for components whose derivative occurs.
//
// The unknowns are all Z_i; for components without a derivative Z_i is the change against the old point and nothing
// connects the stages. With a regular matrix A, K_i = sum_j w_ij Z_j / h, w = A^-1. With an explicit first stage
// (Lobatto IIIA) Z_1 = 0 and K_1 is the slope at the old point; the same holds for the other stages, K_i = sum_j w_ij
// Z_j / h - (sum_j w_ij a_j1) K_1.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/grading.hpp"
#include "driftless/integrate/newton.hpp"
#include "driftless/integrate/tableau.hpp"

namespace driftless {

class StageEquations final : public Equations {
 public:
  StageEquations(Problem& problem, const Tableau& tableau);

  void states_changed();

  // A step from (t, y) where the slope is yp.
  void begin(double t, double h, std::span<const double> y, std::span<const double> yp);

  // The Jacobian at the old point serves all stages (simplified Newton), or each stage has its own.
  void freeze(bool frozen) { frozen_ = frozen; }

  // Powers of h by which the equations of every stage and its unknowns are scaled, the same for all stages.
  void scales(double h, std::span<double> rows, std::span<double> columns) const;
  const Grading& grading() const { return grading_; }

  int stages() const { return m_; }  // those that are unknown
  int size() const { return m_ * n_; }
  double node(int i) const { return tableau_.c[first_ + i]; }

  const linear::Pattern& pattern() const override { return assembly_.pattern; }
  bool residual(std::span<const double> z, std::span<double> out) override;
  bool matrix(std::span<const double> z, std::span<double> values) override;

  void value(std::span<const double> z, int i, std::span<double> y) const;   // y + Z_i
  void slope(std::span<const double> z, int i, std::span<double> yp) const;  // K_i, 0 where no derivative occurs

 private:
  double weight(int i, int j) const { return inverse_[i * m_ + j]; }

  Problem& problem_;
  Tableau tableau_;
  int n_, first_, m_;  // components, index of the first unknown stage, number of unknown stages
  std::vector<double> inverse_, of_first_slope_;
  linear::Assembly assembly_;
  Grading grading_;
  double t_ = 0.0, h_ = 0.0;
  std::vector<double> y_, yp_;
  bool frozen_ = false;
  std::vector<double> stage_, slope_, at_zero_, at_one_;
};

}  // namespace driftless
