#include "driftless/linear/svd.hpp"

#include <Eigen/SVD>

namespace driftless::linear {

Svd svd(const Eigen::MatrixXd& matrix) {
  const Eigen::BDCSVD<Eigen::MatrixXd> parts(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {parts.matrixU(), parts.matrixV(), parts.singularValues()};
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  return Eigen::BDCSVD<Eigen::MatrixXd>(matrix).singularValues();
}

double norm2(const Eigen::MatrixXd& matrix) { return matrix.size() == 0 ? 0.0 : singular_values(matrix)(0); }

}  // namespace driftless::linear
