// The coordinates in which the stages of an implicit Runge-Kutta method decouple (Butcher 1976; Bickart 1977; Hairer,
// Wanner 1996, Section IV.8). With A^-1 = T diag(mu) T^-1 and one Jacobian for all stages, Newton's corrections solve
//
//   (I (x) ∂F/∂y + A^-1/h (x) ∂F/∂y') dZ = -R,
//
// and W = (T^-1 (x) I) dZ solves one system of the size of the model for every eigenvalue,
//
//   (∂F/∂y + (mu/h) ∂F/∂y') W_k = -sum_j (T^-1)_kj R_j.
//
// Those of a conjugate pair are conjugate: one of them is solved, and the real and imaginary parts of its W are stored
// in place of both.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

namespace driftless {

struct StageTransformation {
  std::optional<double> real;  // the real eigenvalue of A^-1: there is one if the number of stages is odd
  std::vector<std::complex<double>> complex;  // of every pair the one with the positive imaginary part

  // Row by row. First the part of the real eigenvalue, then the real and the imaginary part of each pair.
  std::vector<double> to_parts, from_parts;

  int stages() const { return (real ? 1 : 0) + 2 * static_cast<int>(complex.size()); }
};

// Diagonalizes the matrix A^-1, given row by row. Precondition: its eigenvalues are distinct, at most one of them real,
// as those of all Radau, Gauss and Lobatto methods are.
StageTransformation diagonalize(const std::vector<double>& inverse);

// The embedded method of order s with the additional slope at the old point (Hairer, Wanner 1996, IV.8.17). With its
// weights b^_0 = 1/mu, mu the real eigenvalue, and b^_i such that polynomials of degree s - 1 are integrated exactly,
// the difference of the two results is, in units of h/mu,
//
//   y' + sum_i e_i Z_i / h.
//
// These are the e_i, for any mu.
std::vector<double> error_weights(const Tableau& tableau);

// The collocation polynomial between two nodes, in the middle of the widest gap: y + sum_i value_i Z_i, and its slope
// sum_i slope_i Z_i / h.
struct BetweenNodes {
  double at = 0.0;  // in units of the step
  std::vector<double> value, slope;
};
BetweenNodes between_nodes(const Tableau& tableau);

}  // namespace driftless
