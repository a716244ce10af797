#include "driftless/linear/svd.hpp"

#include <algorithm>

#include <Eigen/SVD>

namespace driftless::linear {
namespace {

constexpr double rounding_of_parts = 1e-12;  // of A, for each of its lines

bool is_right(const Eigen::MatrixXd& a, const Svd& parts) {
  const Eigen::Index k = parts.values.size();
  const double allowed = rounding_of_parts * static_cast<double>(std::max(a.rows(), a.cols()));
  const Eigen::MatrixXd product = parts.U.leftCols(k) * parts.values.asDiagonal() * parts.V.leftCols(k).transpose();
  const auto is_orthogonal = [&](const Eigen::MatrixXd& q) {
    return (q.transpose() * q - Eigen::MatrixXd::Identity(q.cols(), q.cols())).norm() <= allowed;
  };
  return (a - product).norm() <= allowed * a.norm() && is_orthogonal(parts.U) && is_orthogonal(parts.V);
}

// Divide and conquer of Eigen 3.4 is fast, but where singular values coincide, as those of copied rows do, some of its
// values may be wrong in the first digit. So it is not believed, but checked; Jacobi's method is always right.
Svd checked(const Eigen::MatrixXd& matrix, unsigned parts) {
  const Eigen::BDCSVD<Eigen::MatrixXd> fast(matrix, parts);
  Svd result{fast.matrixU(), fast.matrixV(), fast.singularValues()};
  if (is_right(matrix, result)) return result;
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::FullPivHouseholderQRPreconditioner> sure(
      matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {sure.matrixU(), sure.matrixV(), sure.singularValues()};
}

}  // namespace

Svd svd(const Eigen::MatrixXd& matrix) { return checked(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV); }

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  return checked(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV).values;
}

double norm2(const Eigen::MatrixXd& matrix) { return matrix.size() == 0 ? 0.0 : singular_values(matrix)(0); }

}  // namespace driftless::linear
