// Rank-aware least squares: the smallest x that minimizes |A x - b|.
#pragma once

#include <memory>

#include <Eigen/Sparse>

namespace driftless::linear {

// Minimum-norm least-squares solution for a matrix of any shape and rank: by a dense complete orthogonal decomposition
// for small matrices, by sparse QR (SuiteSparseQR) for larger ones.
class LeastChange {
 public:
  // Pivots up to the tolerance, relative to the largest column, count as dependent.
  explicit LeastChange(const Eigen::SparseMatrix<double>& matrix, double tolerance = 1e-10);
  ~LeastChange();
  LeastChange(LeastChange&&) noexcept;

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace driftless::linear
