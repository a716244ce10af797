// The correction of one iteration for a start: a step of Newton's method where the matrix is square and regular,
// otherwise the smallest correction with the least residual.
//
// The factors of the last large matrix are kept, as rows that are linear in the unknowns have the same matrix again.
#pragma once

#include <memory>

#include <Eigen/Core>
#include <Eigen/Sparse>

#include "driftless/linear/factorization.hpp"

namespace driftless {

class NewtonCorrection {
 public:
  // `regular`: whether it is a step of Newton's method.
  Eigen::VectorXd operator()(const Eigen::SparseMatrix<double>& j, const Eigen::VectorXd& right, bool& regular);

 private:
  // Null if the matrix is singular.
  const linear::Factorization* factors_of(const Eigen::SparseMatrix<double>& j);

  Eigen::SparseMatrix<double> matrix_;
  std::unique_ptr<linear::Factorization> factorization_;
  bool regular_ = false;
};

}  // namespace driftless
