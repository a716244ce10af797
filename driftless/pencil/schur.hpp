// Decouples the staircase into two independent blocks.
#pragma once

#include <complex>
#include <vector>

#include "driftless/pencil/staircase.hpp"

namespace driftless::pencil {

// The finite part of a regular staircase in generalized Schur form: A11 upper triangular but for blocks of size 2 on
// its diagonal, B11 upper triangular. If the QZ iteration does not converge, which is not known to happen, it is
// unchanged: later steps do not need the triangles.
void bring_to_schur_form(Staircase& staircase);

// λ with det(A11 + λ B11) = 0.
std::vector<std::complex<double>> finite_eigenvalues(const Staircase& staircase);

// S and T with
//
//   A11 T + A12 + S A22 = 0,     B11 T + B12 + S B22 = 0
//
// column by column: B22 is strictly upper triangular, so column k of S B22 needs earlier columns of S only, the second
// equation gives column k of T, and the first column k of S (Hairer, Wanner 1996, VII.1, exercises 2 and 3).
struct Decoupling {
  Eigen::MatrixXd S, T;
};
Decoupling decouple(const Staircase& staircase);

}  // namespace driftless::pencil
