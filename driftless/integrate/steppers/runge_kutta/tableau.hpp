// Runge-Kutta methods as data. With the stages i = 1 .. s of a step of size h from (t, y),
//
//   Y_i = y + h sum_j a_ij K_j,   K_i = f(t + c_i h, Y_i),   y_new = y + h sum_i b_i K_i.
//
// Collocation methods are constructed from their nodes (the zeros of combinations of Legendre polynomials) for any
// number of stages; explicit ones are tables. The orders of a method follow from the simplifying assumptions
//
//   B(p)  sum_i b_i c_i^(k-1) = 1/k                        k = 1 .. p
//   C(q)  sum_j a_ij c_j^(k-1) = c_i^k / k                 k = 1 .. q
//   D(r)  sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k   k = 1 .. r
//
// (Butcher 1964; Hairer, Wanner 1996, Section IV.5).
#pragma once

#include <vector>

#include "driftless/integrate/steppers/method.hpp"

namespace driftless {

struct Tableau {
  int stages = 0;
  int order = 0;          // for ordinary differential equations
  std::vector<double> a;  // row by row
  std::vector<double> b, c;
  std::vector<double> error = {};      // b - b^ with the weights b^ of an embedded method; empty: none
  std::vector<double> low_error = {};  // the same for a second estimate of lower order; empty: none
  // Dense output: each row sum_i dense_i h K_i is a term of the polynomial that the values and slopes at both ends do
  // not determine (step_polynomial.hpp); empty: none. It may need more stages, of which row by row
  // Y_i = y + h sum_j more_a_ij K_j; rows of `dense` and `more_a` have an entry for every stage and every one of these.
  std::vector<double> dense = {};
  std::vector<double> more_a = {}, more_c = {};
  double real_stability = 0.0;  // of explicit methods: stable for h lambda in [-real_stability, 0]; 0: not known
  int explicit_stages = 0;      // of a half-explicit method: the number of first stages whose multipliers are known

  double at(int i, int j) const { return a[i * stages + j]; }
  bool stiffly_accurate() const;      // a_sj = b_j: the last stage is the new point
  bool explicit_first_stage() const;  // a_1j = 0: the first stage is the old point
};

// 1 .. most_stages stages.
inline constexpr int most_stages = 10;
Tableau radau_iia(int stages);  // order 2s - 1, B(2s-1), C(s), D(s-1), stiffly accurate
Tableau gauss(int stages);      // order 2s,     B(2s),   C(s), D(s)

// 2 .. most_stages stages, order 2s - 2.
Tableau lobatto_iiia(int stages);  // B(2s-2), C(s),   D(s-2): the old and the new point are stages
Tableau lobatto_iiib(int stages);  // B(2s-2), C(s-2), D(s):   conjugate to IIIA, so that the pair is symplectic
Tableau lobatto_iiic(int stages);  // B(2s-2), C(s-1), D(s-1): stiffly accurate with a regular matrix

// The last row of the matrix of an explicit method may be its weights: then the last slope is the first of the next
// step.
Tableau explicit_tableau(method::Explicit name);
Tableau dop853();  // which explicit_tableau returns as well
Tableau half_explicit_tableau(method::HalfExplicitTableau name);

std::vector<double> inverse_matrix(const Tableau& tableau);  // A^-1, row by row, of a regular A

}  // namespace driftless
