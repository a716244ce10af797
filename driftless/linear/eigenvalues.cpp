#include "driftless/linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace driftless::linear {

std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& a) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(a, false);
  if (solver.info() != Eigen::Success) return {};
  return solver.eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<Eigensystem> eigensystem(const Eigen::MatrixXd& a) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(a, true);
  if (solver.info() != Eigen::Success) return {};
  return Eigensystem{solver.eigenvalues(), solver.eigenvectors(), solver.pseudoEigenvectors()};
}

Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& a) { return a.fullPivLu().inverse(); }

}  // namespace driftless::linear
