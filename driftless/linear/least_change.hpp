// Rank-aware least squares: the smallest x that meets A x = b as well as possible.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Sparse>

namespace driftless::linear {

// Minimum-norm least-squares solution for a matrix of any shape and rank. Dense complete orthogonal decomposition
// for small matrices, sparse QR (SuiteSparseQR) for larger ones. `rank_tolerance` is relative to the largest column.
class LeastChange {
 public:
  explicit LeastChange(const Eigen::SparseMatrix<double>& matrix, double rank_tolerance = 1e-10);
  ~LeastChange();
  LeastChange(LeastChange&&) noexcept;

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  int rank() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace driftless::linear
