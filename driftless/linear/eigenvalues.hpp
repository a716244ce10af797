// Eigenvalues and eigenvectors of full matrices, those of Eigen, compiled once (see dense.hpp).
#pragma once

#include <optional>

#include <Eigen/Core>

namespace driftless::linear {

std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& a);  // nothing if the iteration does not converge
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a);        // ascending; from the lower triangle

struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
  Eigen::MatrixXd real_basis;  // for a conjugate pair of vectors, the real and the imaginary part
};

std::optional<Eigensystem> eigensystem(const Eigen::MatrixXd& a);

Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& a);  // of a matrix of eigenvectors, with exchange of rows and columns

}  // namespace driftless::linear
