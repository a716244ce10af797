// The singular value decomposition A = U diag(values) Vᵀ, compiled once: its templates take longer than all the rest of
// a file.
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
