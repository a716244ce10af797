#include "driftless/sensitivity/stage_equations.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::sensitivity {
namespace {

constexpr Eigen::Index most_iterations = 60;
constexpr double rounding = 1e-13;  // residual, relative to the right-hand side

double cost_of_elimination(int stages, Eigen::Index states) {
  const double unknowns = static_cast<double>(stages) * static_cast<double>(states);
  return unknowns * unknowns * (25.0 + 0.7 * unknowns);
}

// Matrices of the stages, once; then for each direction a sweep, products, and an orthogonalization.
double cost_of_iteration(int stages, Eigen::Index states, Eigen::Index directions) {
  const double s = stages, n = static_cast<double>(states), p = static_cast<double>(directions);
  const double iterations = 10.0 + s;
  return s * n * n * (60.0 + n) + p * iterations * (s * (1500.0 + 3.0 * n * n + s * n) + iterations * s * n);
}

}  // namespace

double cost_of_stage_equations(int stages, Eigen::Index states, Eigen::Index directions) {
  return std::min(cost_of_elimination(stages, states), cost_of_iteration(stages, states, directions));
}

bool StageEquations::solve(const RadauBasis& basis, double h, const std::vector<Linearization::Dynamics>& dynamics,
                           const Eigen::MatrixXd& start, const Eigen::VectorXd& scale, Eigen::MatrixXd& stages,
                           Way way) {
  basis_ = &basis;
  h_ = h;
  n_ = start.rows();
  s_ = basis.stages();
  matrices_.resize(static_cast<std::size_t>(s_));
  stages.resize(s_ * n_, start.cols());
  for (Eigen::Index k = 0; k < s_; ++k) {
    const Linearization::Dynamics& at = dynamics[static_cast<std::size_t>(k)];
    matrices_[static_cast<std::size_t>(k)] = scale.cwiseInverse().asDiagonal() * at.matrix * scale.asDiagonal();
    auto right = stages.middleRows(k * n_, n_);
    right = start;
    for (Eigen::Index l = 0; l < s_; ++l) right += h * basis.a(k, l) * dynamics[static_cast<std::size_t>(l)].offset;
    right = scale.cwiseInverse().asDiagonal() * right;
  }
  const int count = static_cast<int>(s_);
  const bool is_small = cost_of_elimination(count, n_) <= cost_of_iteration(count, n_, start.cols());
  if (way == Way::Direct || (way == Way::BySize && is_small) || !iterate(stages)) solve_directly(stages);
  for (Eigen::Index k = 0; k < s_; ++k)
    stages.middleRows(k * n_, n_) = scale.asDiagonal() * stages.middleRows(k * n_, n_);
  return stages.allFinite();
}

void StageEquations::solve_directly(Eigen::MatrixXd& stages) {
  const Eigen::Index unknowns = s_ * n_;
  Eigen::MatrixXd& matrix = all_.matrix();
  matrix.resize(unknowns, unknowns);
  for (Eigen::Index l = 0; l < s_; ++l)
    for (Eigen::Index j = 0; j < n_; ++j) {
      double* const column = matrix.data() + (l * n_ + j) * unknowns;
      const double* const from = matrices_[static_cast<std::size_t>(l)].data() + j * n_;
      for (Eigen::Index k = 0; k < s_; ++k) {
        const double factor = -h_ * basis_->a(k, l);
        for (Eigen::Index i = 0; i < n_; ++i) column[k * n_ + i] = factor * from[i];
      }
      column[l * n_ + j] += 1.0;
    }
  if (all_.factorize())
    all_.solve(stages);
  else
    stages.setConstant(std::nan(""));
}

// Replaces the right-hand sides by the solution; leaves them unchanged if one does not converge.
bool StageEquations::iterate(Eigen::MatrixXd& stages) {
  eliminated_.resize(static_cast<std::size_t>(s_));
  for (Eigen::Index k = 0; k < s_; ++k)
    eliminated_[static_cast<std::size_t>(k)] = linear::Lu(
        Eigen::MatrixXd::Identity(n_, n_) - h_ * basis_->lower(k, k) * matrices_[static_cast<std::size_t>(k)]);
  basis_of_space_.resize(s_ * n_, most_iterations + 1);
  upper_.resize(most_iterations + 1, most_iterations);
  Eigen::MatrixXd solution = stages;
  for (Eigen::Index p = 0; p < stages.cols(); ++p)
    if (!iterate(solution.col(p))) return false;
  stages.swap(solution);
  return true;
}

// GMRES for (I - h A ⊗ C) M^-1 u = b, x = M^-1 u.
bool StageEquations::iterate(Eigen::Ref<Eigen::VectorXd> stages) {
  const double size = stages.norm();
  if (!(size > 0.0)) return std::isfinite(size);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(most_iterations + 1), cosine(most_iterations), sine(most_iterations);
  Eigen::VectorXd swept(stages.size()), next(stages.size());
  g(0) = size;
  basis_of_space_.col(0) = stages / size;
  Eigen::Index m = 0;
  while (m < most_iterations && !(std::abs(g(m)) <= rounding * size)) {
    sweep(basis_of_space_.col(m), swept);
    apply(swept, next);
    for (Eigen::Index i = 0; i <= m; ++i) {
      upper_(i, m) = basis_of_space_.col(i).dot(next);
      next -= upper_(i, m) * basis_of_space_.col(i);
    }
    const double rest = next.norm();
    if (!std::isfinite(rest)) return false;
    if (rest > 0.0) basis_of_space_.col(m + 1) = next / rest;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double above = upper_(i, m), below = upper_(i + 1, m);
      upper_(i, m) = cosine(i) * above + sine(i) * below;
      upper_(i + 1, m) = cosine(i) * below - sine(i) * above;
    }
    if (m + 1 < most_iterations) upper_(m + 1, m) = 0.0;
    const double length = std::hypot(upper_(m, m), rest);
    if (!(length > 0.0)) return false;
    cosine(m) = upper_(m, m) / length;
    sine(m) = rest / length;
    upper_(m, m) = length;
    g(m + 1) = -sine(m) * g(m);
    g(m) *= cosine(m);
    ++m;
  }
  if (!(std::abs(g(m)) <= rounding * size)) return false;
  const Eigen::VectorXd weights = upper_.topLeftCorner(m, m).triangularView<Eigen::Upper>().solve(g.head(m));
  next = basis_of_space_.leftCols(m) * weights;
  sweep(next, swept);
  stages = swept;
  return true;
}

void StageEquations::apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y = x;
  slope_.resize(n_);
  for (Eigen::Index l = 0; l < s_; ++l) {
    slope_.noalias() = matrices_[static_cast<std::size_t>(l)] * x.segment(l * n_, n_);
    for (Eigen::Index k = 0; k < s_; ++k) y.segment(k * n_, n_) -= h_ * basis_->a(k, l) * slope_;
  }
}

void StageEquations::sweep(const Eigen::VectorXd& r, Eigen::VectorXd& x) const {
  x = r;
  slope_.resize(n_);
  for (Eigen::Index k = 0; k < s_; ++k) {
    auto stage = x.segment(k * n_, n_);
    stage = eliminated_[static_cast<std::size_t>(k)].solve(stage.eval());
    slope_.noalias() = matrices_[static_cast<std::size_t>(k)] * stage;
    for (Eigen::Index i = k + 1; i < s_; ++i) x.segment(i * n_, n_) += h_ * basis_->lower(i, k) * slope_;
  }
}

}  // namespace driftless::sensitivity
