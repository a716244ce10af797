// Generalized inverses for systems with more equations than unknowns, A1 x = a1 and A2 x = a2: A1 square, A2 of full
// row rank. All are matrices G with x = G (a1, a2), and all give the exact solution of a system that has one (Führer,
// Leimkuhler 1991, Section 3).
#pragma once

#include <span>

#include <Eigen/Core>

namespace driftless::linear {

// A basis V of the kernel of A, orthonormal.
Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& a);

// The same, not orthonormal, with a right inverse, A P = I, for a matrix whose rows of a stage involve only columns of
// the same and of lower stages (the levels of a constraint: positions, velocities): one small decomposition per stage,
// in ascending order.
//   A = [[G, 0], [L, G]]:  V = [[V1, 0], [-G^+ L V1, V1]],  G V1 = 0,   P = [[G^+, 0], [-G^+ L G^+, G^+]].
struct ByStages {
  Eigen::MatrixXd kernel, right_inverse;
};
ByStages by_stages(const Eigen::MatrixXd& a, std::span<const int> stage_of_row, std::span<const int> stage_of_column);

// The state-space form inverse: A2 x = a2 exactly, and A1 x - a1 in the range of A2^T,
//   x = P a2 + V (V^T A1 V)^-1 V^T (a1 - A1 P a2)
// for any basis V of the kernel of A2 and any P with A2 P = I: replacing P by P + V Z adds V Z a2 to the first term and
// subtracts it in the second. It exists if and only if A2 A1^-1 A2^T is regular (for a regular A1).
Eigen::MatrixXd ssf_inverse(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2, const Eigen::MatrixXd& v);
Eigen::MatrixXd ssf_inverse(const Eigen::MatrixXd& a1, const ByStages& a2);

// The same from [[A1, A2^T], [A2, 0]] (x, nu) = (a1, a2), without nu.
Eigen::MatrixXd ssf_inverse_bordered(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2);

// A2 x = a2 exactly, and A1 x - a1 as small as possible.
Eigen::MatrixXd constrained_least_squares(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2);

// All residuals together as small as possible: nothing is exact.
Eigen::MatrixXd moore_penrose(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2);

}  // namespace driftless::linear
