#include "driftless/state_space/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/eigenvalues.hpp"
#include "driftless/pencil/weierstrass.hpp"

namespace driftless {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> view(const Matrix& matrix) {
  return {matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.columns)};
}

// Other units for the states, powers of two, in which rows and columns of A have similar sizes (Parlett, Reinsch
// 1969): errors of the eigenvalues follow the norm of the matrix. Neither eigenvalues nor participations depend on
// units.
void balance(Eigen::MatrixXd& a) {
  constexpr int most_sweeps = 20;
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (Eigen::Index k = 0; k < a.rows(); ++k) {
      const double diagonal = std::abs(a(k, k));
      const double column = a.col(k).lpNorm<1>() - diagonal, row = a.row(k).lpNorm<1>() - diagonal;
      if (!(column > 0.0 && row > 0.0)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      a.col(k) *= factor;
      a.row(k) /= factor;
      changed = true;
    }
  }
}

// |w_k v_k|, where the rows of V^-1 are the left eigenvectors w. Of a pair of eigenvalues `v` has the real and the
// imaginary part of one vector in two columns, and V = v T with T = [1 1; i -i]: so the rows of V^-1 are half of
// w' -+ i w'' with the rows w', w'' of v^-1, so only real matrices are eliminated.
Eigen::MatrixXd participations(const Eigen::VectorXcd& values, const Eigen::MatrixXd& v) {
  const Eigen::MatrixXd w = linear::Lu(v).inverse().transpose();
  Eigen::MatrixXd parts(v.rows(), v.cols());
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    if (values[j].imag() == 0.0) {
      parts.col(j) = v.col(j).cwiseProduct(w.col(j)).cwiseAbs();
      continue;
    }
    parts.col(j) = 0.5 * (v.col(j).cwiseAbs2() + v.col(j + 1).cwiseAbs2())
                             .cwiseSqrt()
                             .cwiseProduct((w.col(j).cwiseAbs2() + w.col(j + 1).cwiseAbs2()).cwiseSqrt());
    parts.col(j + 1) = parts.col(j);
    ++j;
  }
  for (Eigen::Index j = 0; j < parts.cols(); ++j) {
    const double sum = parts.col(j).sum();
    if (std::isfinite(sum) && sum > 0.0)
      parts.col(j) /= sum;
    else
      parts.col(j).setConstant(std::numeric_limits<double>::quiet_NaN());  // there are fewer eigenvectors than states
  }
  return parts;
}

bool comes_before(const std::complex<double>& a, const std::complex<double>& b) {
  if (a.real() != b.real()) return a.real() > b.real();
  if (std::abs(a.imag()) != std::abs(b.imag())) return std::abs(a.imag()) < std::abs(b.imag());
  return a.imag() > b.imag();
}

}  // namespace

std::optional<std::vector<LinearMode>> modes_of(const Matrix& A) {
  std::vector<LinearMode> modes;
  if (A.rows == 0) return modes;
  Eigen::MatrixXd a = view(A);
  if (!a.allFinite()) return {};
  balance(a);
  const auto system = linear::eigensystem(a);
  if (!system) return {};
  const Eigen::VectorXcd& values = system->values;
  const Eigen::MatrixXd parts = participations(values, system->real_basis);
  std::vector<Eigen::Index> order(A.rows);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](Eigen::Index i, Eigen::Index j) { return comes_before(values[i], values[j]); });
  for (const Eigen::Index k : order)
    modes.push_back({values[k], {parts.col(k).data(), parts.col(k).data() + parts.rows()}});
  return modes;
}

std::optional<std::vector<std::complex<double>>> zeros_of(const StateSpace& system) {
  const auto n = static_cast<Eigen::Index>(system.states.size()), m = static_cast<Eigen::Index>(system.inputs.size());
  pencil::Pencil pencil{Eigen::MatrixXd::Zero(n + m, n + m), Eigen::MatrixXd::Zero(n + m, n + m)};
  pencil.A << view(system.A), view(system.B), view(system.C), view(system.D);
  pencil.B.topLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  const auto form = pencil::weierstrass_form(pencil);
  const auto* regular = std::get_if<pencil::WeierstrassForm>(&form);
  if (!regular) return {};
  std::vector<std::complex<double>> zeros = regular->modes;
  std::ranges::stable_sort(zeros, comes_before);
  return zeros;
}

double LinearMode::damping() const {
  const double size = std::abs(eigenvalue);
  return size > 0.0 ? -eigenvalue.real() / size : 0.0;
}

double LinearMode::frequency() const { return std::abs(eigenvalue.imag()) / (2.0 * std::numbers::pi); }

double LinearMode::natural_frequency() const { return std::abs(eigenvalue); }

double LinearMode::time_constant() const {
  return eigenvalue.real() == 0.0 ? std::numeric_limits<double>::infinity() : -1.0 / eigenvalue.real();
}

double StateSpace::rounding() const {
  double largest = 0.0;
  for (const LinearMode& mode : modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  return 1e-9 * largest;
}

bool StateSpace::is_at_rest() const {
  double scale = 1.0;
  for (const double value : x) scale = std::max(scale, std::abs(value));
  return std::ranges::all_of(rates, [&](double rate) { return std::abs(rate) <= 1e-9 * scale; });
}

}  // namespace driftless
