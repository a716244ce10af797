#include "driftless/linear/dense.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>
#include <Eigen/QR>

namespace driftless::linear {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// ---- with exchange of rows

Lu::Lu(const MatrixXd& a) : parts_(std::make_shared<Eigen::PartialPivLU<MatrixXd>>(a)) {}

MatrixXd Lu::solve(const MatrixXd& right) const { return parts_->solve(right); }
VectorXd Lu::solve(const VectorXd& right) const { return parts_->solve(right); }
MatrixXd Lu::inverse() const { return parts_->inverse(); }
double Lu::determinant() const { return parts_->determinant(); }
double Lu::reciprocal_condition_number() const { return parts_->rcond(); }

int Lu::sign() const {
  int sign = parts_->permutationP().determinant() > 0 ? 1 : -1;
  for (const double pivot : parts_->matrixLU().diagonal())
    if (pivot < 0.0) sign = -sign;
  return sign;
}

// ---- with exchange of rows and columns

FullLu::FullLu(const MatrixXd& a) : parts_(std::make_shared<Eigen::FullPivLU<MatrixXd>>(a)) {}

FullLu::FullLu(const MatrixXd& a, double threshold) {
  auto parts = std::make_shared<Eigen::FullPivLU<MatrixXd>>(a);
  parts->setThreshold(threshold);
  parts_ = std::move(parts);
}

Index FullLu::rank() const { return parts_->rank(); }
bool FullLu::is_regular() const { return parts_->isInvertible(); }
MatrixXd FullLu::solve(const MatrixXd& right) const { return parts_->solve(right); }
MatrixXd FullLu::inverse() const { return parts_->inverse(); }

MatrixXd FullLu::kernel() const {
  if (parts_->dimensionOfKernel() == 0) return MatrixXd(parts_->cols(), 0);  // Eigen would give a column of zeros
  return parts_->kernel();
}

// ---- orthogonal

namespace {

// Qᵀ right.
template <class Parts, class Right>
Right rotated_back(const Parts& parts, Right right) {
  right.applyOnTheLeft(parts.householderQ().adjoint());
  return right;
}

}  // namespace

Qr::Qr(const MatrixXd& a) : parts_(std::make_shared<Eigen::HouseholderQR<MatrixXd>>(a)) {}

MatrixXd Qr::q() const { return parts_->householderQ(); }

MatrixXd Qr::triangle() const {
  const Index n = std::min(parts_->rows(), parts_->cols());
  return parts_->matrixQR().topLeftCorner(n, n).triangularView<Eigen::Upper>();
}

MatrixXd Qr::transposed_q_times(const MatrixXd& right) const { return rotated_back(*parts_, right); }
VectorXd Qr::transposed_q_times(const VectorXd& right) const { return rotated_back(*parts_, right); }
MatrixXd Qr::solve(const MatrixXd& right) const { return parts_->solve(right); }

VectorXd Qr::solve_triangle(const VectorXd& right) const {
  return parts_->matrixQR().topRows(parts_->cols()).triangularView<Eigen::Upper>().solve(right);
}

PivotedQr::PivotedQr(const MatrixXd& a) : parts_(std::make_shared<Eigen::ColPivHouseholderQR<MatrixXd>>(a)) {}

PivotedQr::PivotedQr(const MatrixXd& a, double threshold) {
  auto parts = std::make_shared<Eigen::ColPivHouseholderQR<MatrixXd>>(a);
  parts->setThreshold(threshold);
  parts_ = std::move(parts);
}

Index PivotedQr::rank() const { return parts_->rank(); }
double PivotedQr::pivot(Index k) const { return std::abs(parts_->matrixR()(k, k)); }
Index PivotedQr::column(Index k) const { return parts_->colsPermutation().indices()(k); }

bool PivotedQr::has_rank(Index rank, double vanished) const {
  if (rank == 0) return true;
  return rank <= std::min(parts_->rows(), parts_->cols()) && pivot(rank - 1) > vanished * pivot(0);
}

MatrixXd PivotedQr::q() const { return parts_->householderQ(); }
MatrixXd PivotedQr::transposed_q_times(const MatrixXd& right) const { return rotated_back(*parts_, right); }
VectorXd PivotedQr::transposed_q_times(const VectorXd& right) const { return rotated_back(*parts_, right); }
MatrixXd PivotedQr::solve(const MatrixXd& right) const { return parts_->solve(right); }
VectorXd PivotedQr::solve(const VectorXd& right) const { return parts_->solve(right); }

VectorXd PivotedQr::solve_triangle(const VectorXd& right) const {
  const Index n = right.size();
  return parts_->matrixR().topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(right);
}

CompleteQr::CompleteQr(const MatrixXd& a)
    : parts_(std::make_shared<Eigen::CompleteOrthogonalDecomposition<MatrixXd>>(a)) {}

CompleteQr::CompleteQr(const MatrixXd& a, double threshold) {
  auto parts = std::make_shared<Eigen::CompleteOrthogonalDecomposition<MatrixXd>>();
  parts->setThreshold(threshold);
  parts->compute(a);
  parts_ = std::move(parts);
}

VectorXd CompleteQr::solve(const VectorXd& right) const { return parts_->solve(right); }
MatrixXd CompleteQr::pseudo_inverse() const { return parts_->pseudoInverse(); }

}  // namespace driftless::linear
