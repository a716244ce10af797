// Pencils whose structure is known: P0 diag(I + ..., N, singular blocks) Q0 with random P0 and Q0.
#pragma once

#include <initializer_list>
#include <random>
#include <vector>

#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return uniform(random); });
}

inline Eigen::MatrixXd shift(Eigen::Index size) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
  result.diagonal(1).setOnes();
  return result;
}

inline Pencil direct_sum(const std::vector<Pencil>& parts) {
  Eigen::Index rows = 0, cols = 0;
  for (const Pencil& part : parts) {
    rows += part.A.rows();
    cols += part.A.cols();
  }
  Pencil result{Eigen::MatrixXd::Zero(rows, cols), Eigen::MatrixXd::Zero(rows, cols)};
  Eigen::Index i = 0, j = 0;
  for (const Pencil& part : parts) {
    result.A.block(i, j, part.A.rows(), part.A.cols()) = part.A;
    result.B.block(i, j, part.B.rows(), part.B.cols()) = part.B;
    i += part.A.rows();
    j += part.A.cols();
  }
  return result;
}

inline Pencil finite_part(const Eigen::MatrixXd& C) { return {C, Eigen::MatrixXd::Identity(C.rows(), C.cols())}; }

inline Pencil infinite_block(Eigen::Index size) { return {Eigen::MatrixXd::Identity(size, size), shift(size)}; }

// k rows and k + 1 columns: q(λ) = (1, -λ, λ², ...) is in its null space.
inline Pencil kronecker_columns(Eigen::Index k) {
  Pencil result{Eigen::MatrixXd::Zero(k, k + 1), Eigen::MatrixXd::Zero(k, k + 1)};
  result.A.diagonal(1).setOnes();
  result.B.diagonal(0).setOnes();
  return result;
}

inline Pencil transposed(const Pencil& p) { return {p.A.transpose(), p.B.transpose()}; }

// The pencil in other equations and unknowns.
inline Pencil mixed(const Pencil& p, std::mt19937& random) {
  const Eigen::MatrixXd P = random_matrix(p.A.rows(), p.A.rows(), random);
  const Eigen::MatrixXd Q = random_matrix(p.A.cols(), p.A.cols(), random);
  return {P * p.A * Q, P * p.B * Q};
}

}  // namespace driftless::pencil
