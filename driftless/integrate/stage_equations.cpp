#include "driftless/integrate/stage_equations.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace driftless {

StageEquations::StageEquations(Problem& problem, const Tableau& tableau)
    : problem_(problem),
      tableau_(tableau),
      n_(problem.size()),
      first_(tableau.explicit_first_stage() ? 1 : 0),
      m_(tableau.stages - first_),
      y_(n_),
      yp_(n_),
      stage_(n_),
      slope_(n_) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int s = tableau.stages;
  const Eigen::Map<const Matrix> a(tableau.a.data(), s, s);
  const Matrix inverse = a.bottomRightCorner(m_, m_).inverse();
  inverse_.assign(inverse.data(), inverse.data() + inverse.size());
  of_first_slope_.assign(m_, 0.0);
  if (first_ == 1) Eigen::Map<Eigen::VectorXd>(of_first_slope_.data(), m_) = inverse * a.bottomLeftCorner(m_, 1);
  states_changed();
}

void StageEquations::states_changed() {
  const linear::Pattern& block = problem_.pattern();
  std::vector<linear::Coordinate> coordinates;
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j)
      for (int column = 0; column < n_; ++column)
        for (int k = block.starts[column]; k < block.starts[column + 1]; ++k)
          if (i == j || problem_.rate_enters()[k]) coordinates.push_back({i * n_ + block.rows[k], j * n_ + column});
  assembly_ = linear::assemble(m_ * n_, coordinates);
  grading_ = grade(problem_);
  at_zero_.resize(block.rows.size());
  at_one_.resize(block.rows.size());
}

void StageEquations::scales(double h, std::span<double> rows, std::span<double> columns) const {
  for (int i = 0; i < m_; ++i) grading_.scales(h, rows.subspan(i * n_, n_), columns.subspan(i * n_, n_));
}

void StageEquations::begin(double t, double h, std::span<const double> y, std::span<const double> yp) {
  t_ = t, h_ = h;
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
}

void StageEquations::value(std::span<const double> z, int i, std::span<double> y) const {
  for (int k = 0; k < n_; ++k) y[k] = y_[k] + z[i * n_ + k];
}

void StageEquations::slope(std::span<const double> z, int i, std::span<double> yp) const {
  for (int k = 0; k < n_; ++k) {
    yp[k] = 0.0;
    if (!problem_.is_state(k)) continue;
    for (int j = 0; j < m_; ++j) yp[k] += weight(i, j) * z[j * n_ + k];
    yp[k] = yp[k] / h_ - of_first_slope_[i] * yp_[k];
  }
}

bool StageEquations::residual(std::span<const double> z, std::span<double> out) {
  for (int i = 0; i < m_; ++i) {
    value(z, i, stage_);
    slope(z, i, slope_);
    if (!problem_.residual(t_ + node(i) * h_, stage_, slope_, out.subspan(i * n_, n_))) return false;
  }
  return true;
}

// Block (i, j) is delta_ij ∂F/∂y + (w_ij / h) ∂F/∂y'; ∂F/∂y' / h is a difference of two matrices of the problem.
bool StageEquations::matrix(std::span<const double> z, std::span<double> values) {
  std::ranges::fill(values, 0.0);
  const std::size_t entries = at_zero_.size();
  std::size_t position = 0;
  for (int i = 0; i < m_; ++i) {
    if (i == 0 || !frozen_) {
      double t = t_;
      if (frozen_) {
        std::ranges::copy(y_, stage_.begin());
        std::ranges::copy(yp_, slope_.begin());
      } else {
        t += node(i) * h_;
        value(z, i, stage_);
        slope(z, i, slope_);
      }
      if (!problem_.matrix(t, stage_, slope_, 0.0, at_zero_) || !problem_.matrix(t, stage_, slope_, 1.0 / h_, at_one_))
        return false;
    }
    for (int j = 0; j < m_; ++j)
      for (std::size_t k = 0; k < entries; ++k) {
        if (i != j && !problem_.rate_enters()[k]) continue;
        const double of_rate = weight(i, j) * (at_one_[k] - at_zero_[k]);
        values[assembly_.position[position++]] += i == j ? at_zero_[k] + of_rate : of_rate;
      }
  }
  return true;
}

}  // namespace driftless
