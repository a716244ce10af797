#include "driftless/sensitivity/radau_basis.hpp"

#include <cmath>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/eigenvalues.hpp"

namespace driftless::sensitivity {
namespace {

// P_0, ..., P_n at x = 2 theta - 1.
Eigen::VectorXd legendre_polynomials(int n, double theta) {
  const double x = 2.0 * theta - 1.0;
  Eigen::VectorXd p(n + 1);
  p(0) = 1.0;
  if (n > 0) p(1) = x;
  for (int k = 1; k < n; ++k) p(k + 1) = ((2.0 * k + 1.0) * x * p(k) - k * p(k - 1)) / (k + 1.0);
  return p;
}

// All points but the last are those of Gauss quadrature with the weight 1 - x: eigenvalues of the matrix of the
// recurrence of Jacobi's polynomials (Golub, Welsch 1969).
Eigen::VectorXd radau_points(int stages) {
  Eigen::VectorXd points(stages);
  points(stages - 1) = 1.0;
  const int n = stages - 1;
  if (n == 0) return points;
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) recurrence(k, k) = -1.0 / ((2.0 * k + 1.0) * (2.0 * k + 3.0));
  for (int k = 1; k < n; ++k) recurrence(k, k - 1) = recurrence(k - 1, k) = std::sqrt(k * (k + 1.0)) / (2.0 * k + 1.0);
  points.head(n) = (linear::symmetric_eigenvalues(recurrence).array() + 1.0) / 2.0;
  return points;
}

}  // namespace

RadauBasis::RadauBasis(int stages) : c(radau_points(stages)) {
  Eigen::MatrixXd values(stages, stages);
  for (int k = 0; k < stages; ++k) values.row(k) = legendre_polynomials(stages - 1, c(k)).transpose();
  legendre = linear::Lu(values).inverse();
  a.resize(stages, stages);
  for (int k = 0; k < stages; ++k) a.row(k) = weights(c(k)).transpose();
  factorize();
}

// Without pivots: leading minors of A are positive.
void RadauBasis::factorize() {
  Eigen::MatrixXd rest = a;
  lower = Eigen::MatrixXd::Zero(stages(), stages());
  for (int k = 0; k < stages(); ++k) {
    lower.col(k).tail(stages() - k) = rest.col(k).tail(stages() - k);
    const Eigen::RowVectorXd row = rest.row(k) / rest(k, k);
    rest -= rest.col(k).eval() * row;
  }
}

// ∫ P_j from 0 to theta is (P_{j+1} - P_{j-1}) / (2 (2j + 1)).
void RadauBasis::integrals(double theta, std::span<double> result) {
  const double x = 2.0 * theta - 1.0;
  double before = 1.0, p = x;
  result[0] = theta;
  for (std::size_t j = 1; j < result.size(); ++j) {
    const auto k = static_cast<double>(j);
    const double next = ((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0);
    result[j] = (next - before) / (2.0 * (2.0 * k + 1.0));
    before = p;
    p = next;
  }
}

Eigen::VectorXd RadauBasis::weights(double theta) const {
  Eigen::VectorXd result(stages());
  integrals(theta, {result.data(), static_cast<std::size_t>(stages())});
  return legendre.transpose() * result;
}

}  // namespace driftless::sensitivity
