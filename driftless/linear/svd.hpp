// The singular value decomposition A = U diag(values) Vᵀ, that of LAPACK. (Divide and conquer of Eigen 3.4 gives wrong
// values where many of them coincide, as those of copied rows do.)
#pragma once

#include <Eigen/Core>

namespace driftless::linear {

struct Svd {
  Eigen::MatrixXd U, V;    // square and orthogonal
  Eigen::VectorXd values;  // descending
};

Svd svd(const Eigen::MatrixXd& matrix);
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);  // descending; of a matrix that is not empty
double norm2(const Eigen::MatrixXd& matrix);                     // the largest singular value; 0 of an empty matrix

}  // namespace driftless::linear
