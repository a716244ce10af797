#include "driftless/linear/least_change.hpp"

#include <algorithm>

#include <Eigen/SPQRSupport>

#include "driftless/linear/dense.hpp"

namespace driftless::linear {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using SparseQr = Eigen::SPQR<Matrix>;

// Above this many entries of the full matrix the dense decomposition is slower than the sparse one.
constexpr double dense_entries = 160.0 * 160.0;

// Sparse QR takes the columns in the order of least fill. That shows whether columns are dependent, but not reliably
// which: rounding errors are amplified by the condition of the earlier columns. So for dependent rows of A Tikhonov's
// iteration is used, which needs no such decision:
//
//   x ← x + argmin |A s - (b - A x)|² + δ²|s|²
//
// starts at 0, stays in the range of Aᵀ, and shrinks the error along a singular value σ by δ²/(σ² + δ²). Rounding leads
// out of the range by about ε|b - A x|/δ²: negligible if A x = b has a solution, otherwise six digits remain.
constexpr double delta = 1e-5;  // relative to the largest row
constexpr int tikhonov_iterations = 6;

double largest_column(const Matrix& matrix) {
  double largest = 0.0;
  for (int col = 0; col < matrix.outerSize(); ++col) largest = std::max(largest, matrix.col(col).norm());
  return largest;
}

Matrix with_identity_below(const Matrix& a, double factor) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int col = 0; col < a.outerSize(); ++col) {
    for (Matrix::InnerIterator it(a, col); it; ++it) entries.emplace_back(static_cast<int>(it.row()), col, it.value());
    entries.emplace_back(static_cast<int>(a.rows()) + col, col, factor);
  }
  Matrix result(a.rows() + a.cols(), a.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

struct LeastChange::Parts {
  Matrix matrix;
  CompleteQr dense;
  std::unique_ptr<SparseQr> of_transposed;  // large, rows independent: Aᵀ P = Q R
  Matrix r;
  std::unique_ptr<SparseQr> regularized;  // large, rows dependent: of [A; δ I]
};

LeastChange::LeastChange(const Matrix& matrix, double tolerance) : parts_(std::make_unique<Parts>()) {
  parts_->matrix = matrix;
  if (matrix.nonZeros() == 0) return;
  if (static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols()) <= dense_entries) {
    parts_->dense = CompleteQr(Eigen::MatrixXd(matrix), tolerance);
    return;
  }
  const Matrix transposed = matrix.transpose();
  const double largest = largest_column(transposed);
  if (matrix.rows() <= matrix.cols()) {
    auto qr = std::make_unique<SparseQr>();
    qr->setPivotThreshold(tolerance * largest);
    qr->compute(transposed);
    if (qr->rank() == matrix.rows()) {
      parts_->r = qr->matrixR().topRows(qr->rank());
      parts_->of_transposed = std::move(qr);
      return;
    }
  }
  parts_->regularized = std::make_unique<SparseQr>();
  parts_->regularized->setPivotThreshold(0.0);
  parts_->regularized->compute(with_identity_below(matrix, delta * largest));
}

LeastChange::~LeastChange() = default;
LeastChange::LeastChange(LeastChange&&) noexcept = default;

Eigen::VectorXd LeastChange::solve(const Eigen::VectorXd& b) const {
  const Matrix& a = parts_->matrix;
  if (a.nonZeros() == 0) return Eigen::VectorXd::Zero(a.cols());
  if (parts_->of_transposed) {
    // A = P Rᵀ Qᵀ, and the smallest solution lies in the range of Q: x = Q y with Rᵀ y = Pᵀ b.
    const SparseQr& qr = *parts_->of_transposed;
    Eigen::VectorXd y = qr.colsPermutation().transpose() * b;
    parts_->r.triangularView<Eigen::Upper>().transpose().solveInPlace(y);
    y.conservativeResizeLike(Eigen::VectorXd::Zero(a.cols()));
    return qr.matrixQ() * y;
  }
  if (parts_->regularized) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols()), right = Eigen::VectorXd::Zero(a.rows() + a.cols());
    for (int iteration = 0; iteration < tikhonov_iterations; ++iteration) {
      right.head(a.rows()) = b - a * x;
      x += parts_->regularized->solve(right).eval();
    }
    return x;
  }
  return parts_->dense.solve(b);
}

}  // namespace driftless::linear
