#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

#include <algorithm>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One pass over the vectors, with all numbers of four places in registers.
template <int S>
void combine_stages(const double* matrix, const double* in, double* out, std::size_t n) {
  constexpr std::size_t places = 4;
  double x[S][places], sum[places];
  std::size_t k = 0;
  for (; k + places <= n; k += places) {
    for (int j = 0; j < S; ++j)
      for (std::size_t p = 0; p < places; ++p) x[j][p] = in[j * n + k + p];
    for (int i = 0; i < S; ++i) {
      for (std::size_t p = 0; p < places; ++p) sum[p] = matrix[i * S] * x[0][p];
      for (int j = 1; j < S; ++j)
        for (std::size_t p = 0; p < places; ++p) sum[p] += matrix[i * S + j] * x[j][p];
      for (std::size_t p = 0; p < places; ++p) out[i * n + k + p] = sum[p];
    }
  }
  for (; k < n; ++k)
    for (int i = 0; i < S; ++i) {
      double value = 0.0;
      for (int j = 0; j < S; ++j) value += matrix[i * S + j] * in[j * n + k];
      out[i * n + k] = value;
    }
}

}  // namespace

void combine(std::span<const double> matrix, std::span<const double> in, std::span<double> out) {
  Eigen::Index s = 1;
  while (s * s < static_cast<Eigen::Index>(matrix.size())) ++s;
  const Eigen::Index n = static_cast<Eigen::Index>(in.size()) / s;
  const auto places = static_cast<std::size_t>(n);
  switch (s) {
    case 3: return combine_stages<3>(matrix.data(), in.data(), out.data(), places);
    case 5: return combine_stages<5>(matrix.data(), in.data(), out.data(), places);
    case 7: return combine_stages<7>(matrix.data(), in.data(), out.data(), places);
    default: break;
  }
  Eigen::Map<Eigen::MatrixXd>(out.data(), n, s).noalias() =
      Eigen::Map<const Eigen::MatrixXd>(in.data(), n, s)
          .lazyProduct(Eigen::Map<const Matrix>(matrix.data(), s, s).transpose());
}

StageWeights::StageWeights(const Tableau& tableau)
    : first(tableau.explicit_first_stage() ? 1 : 0),
      count(tableau.stages - first),
      nodes(tableau.c.begin() + first, tableau.c.end()),
      of_first_slope(count, 0.0) {
  const int s = tableau.stages;
  const Eigen::Map<const Matrix> a(tableau.a.data(), s, s);
  const Matrix inverted = linear::Lu(a.bottomRightCorner(count, count)).inverse();
  inverse.assign(inverted.data(), inverted.data() + inverted.size());
  if (first == 1) Eigen::Map<Eigen::VectorXd>(of_first_slope.data(), count) = inverted * a.bottomLeftCorner(count, 1);
}

Stages::Stages(Problem& problem, const StageWeights& weights)
    : problem_(problem),
      n_(problem.size()),
      m_(weights.count),
      nodes_(weights.nodes),
      inverse_(weights.inverse),
      of_first_slope_(weights.of_first_slope),
      y_(n_),
      yp_(n_),
      stages_(m_ * n_),
      slopes_(m_ * n_),
      residuals_(problem) {
  points_.reserve(static_cast<std::size_t>(m_));
}

void Stages::begin(double t, double h, std::span<const double> y, std::span<const double> yp) {
  t_ = t, h_ = h;
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
}

void Stages::value(std::span<const double> z, int i, std::span<double> y) const {
  for (int k = 0; k < n_; ++k) y[k] = y_[k] + z[i * n_ + k];
}

void Stages::slope(std::span<const double> z, int i, std::span<double> yp) const {
  for (int k = 0; k < n_; ++k) {
    yp[k] = 0.0;
    if (!problem_.is_state(k)) continue;
    for (int j = 0; j < m_; ++j) yp[k] += inverse_[i * m_ + j] * z[j * n_ + k];
    yp[k] = yp[k] / h_ - of_first_slope_[i] * yp_[k];
  }
}

bool Stages::residual(std::span<const double> z, std::span<double> out) {
  combine(inverse_, z, slopes_);
  points_.clear();
  for (int i = 0; i < m_; ++i) {
    const std::span<double> stage = std::span(stages_).subspan(i * n_, n_);
    const std::span<double> slope = std::span(slopes_).subspan(i * n_, n_);
    const double of_first = of_first_slope_[i];
    for (int k = 0; k < n_; ++k) {
      stage[k] = y_[k] + z[i * n_ + k];
      slope[k] = slope[k] / h_ - of_first * yp_[k];
    }
    points_.push_back({t_ + node(i) * h_, stage, slope});
  }
  return residuals_(points_, out);
}

}  // namespace driftless
