#include "driftless/linear/least_change.hpp"

#include <memory>

#include <Eigen/Dense>
#include <Eigen/SPQRSupport>

namespace driftless::linear {

namespace {
using SparseQr = Eigen::SPQR<Eigen::SparseMatrix<double>>;

// Above this many entries of the full matrix the dense decomposition is slower than the sparse one.
constexpr double dense_entries = 160.0 * 160.0;
}  // namespace

// The sparse way: Aᵀ P = Q R, so A = P Rᵀ Qᵀ and the smallest solution of A x = b lies in the range of Q: x = Q y with
// Rᵀ y = Pᵀ b. When A is rank deficient, the rows beyond its rank are left to the least-squares solution of the
// remaining ones, which is exact for consistent systems.
struct LeastChange::Parts {
  Eigen::Index unknowns = 0;
  bool empty() const { return !sparse && dense.rows() == 0; }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> dense;
  std::unique_ptr<SparseQr> sparse;
};

LeastChange::LeastChange(const Eigen::SparseMatrix<double>& matrix, double rank_tolerance)
    : parts_(std::make_unique<Parts>()) {
  parts_->unknowns = matrix.cols();
  if (matrix.rows() == 0 || matrix.cols() == 0) return;
  if (static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols()) <= dense_entries) {
    parts_->dense.setThreshold(rank_tolerance);
    parts_->dense.compute(Eigen::MatrixXd(matrix));
  } else {
    parts_->sparse = std::make_unique<SparseQr>();
    double largest = 0.0;
    for (int col = 0; col < matrix.outerSize(); ++col) largest = std::max(largest, matrix.col(col).norm());
    parts_->sparse->setPivotThreshold(rank_tolerance * largest);
    parts_->sparse->compute(matrix.transpose());
  }
}

LeastChange::~LeastChange() = default;
LeastChange::LeastChange(LeastChange&&) noexcept = default;

Eigen::VectorXd LeastChange::solve(const Eigen::VectorXd& b) const {
  if (parts_->empty()) return Eigen::VectorXd::Zero(parts_->unknowns);
  if (!parts_->sparse) return parts_->dense.solve(b);
  const SparseQr& qr = *parts_->sparse;
  const Eigen::Index rank = qr.rank();
  const Eigen::VectorXd pb = qr.colsPermutation().transpose() * b;
  const Eigen::SparseMatrix<double> r = qr.matrixR();  // the leading rank rows are upper trapezoidal
  Eigen::VectorXd y = pb.head(rank);
  const Eigen::SparseMatrix<double> corner = r.topLeftCorner(rank, rank);
  corner.triangularView<Eigen::Upper>().transpose().solveInPlace(y);
  Eigen::VectorXd padded = Eigen::VectorXd::Zero(qr.rows());
  padded.head(rank) = y;
  return qr.matrixQ() * padded;
}

int LeastChange::rank() const {
  if (parts_->empty()) return 0;
  return static_cast<int>(parts_->sparse ? parts_->sparse->rank() : parts_->dense.rank());
}

}  // namespace driftless::linear
