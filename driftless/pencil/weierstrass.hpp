// The form of Weierstrass: nonsingular P and Q with
//
//   P A Q = | C 0 |     P B Q = | I 0 |     N nilpotent,
//           | 0 I |             | 0 N |
//
// so that B u' + A u = d is split into a differential and an algebraic part: with u = Q (y, z) and P d = (η, δ)
//
//   y' + C y = η,     z = δ - N δ' + N² δ'' - ... ± N^(ν-1) δ^(ν-1).
//
// The smallest ν with N^ν = 0 is the index; N is similar to shift blocks of sizes m_1 >= m_2 >= ..., and ν = m_1
// (Hairer, Wanner 1996, VII.1). Orthogonal transformations first separate the infinite part (staircase.hpp) and bring
// the finite part to generalized Schur form; two coupled Sylvester equations then remove the blocks above the diagonal.
#pragma once

#include <complex>
#include <span>
#include <variant>
#include <vector>

#include "driftless/linear/rank_decision.hpp"
#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

struct WeierstrassForm {
  int index = 0;
  std::vector<int> block_sizes;  // m_i of N, descending
  int differential = 0;          // dimension of y: the number of free values at the start
  Eigen::MatrixXd P, Q, C, N;
  std::vector<std::complex<double>> modes;  // λ with det(A + λB) = 0: y moves by e^(λt); by falling real part
  // The space of all combinations of u that d alone determines: the rows are a basis, each with an entry 1 in a column
  // where the others have 0.
  Eigen::MatrixXd algebraic;
  std::vector<linear::RankDecision> decisions;  // all decisions on which the index depends; none for an empty pencil
};

// det(A + λB) = 0 for all λ: B u' + A u = d has no solution, or infinitely many.
struct SingularPencil {
  int rank = 0;                // of A + λB for almost all λ
  int passes = 0;              // number of differentiations until a combination of equations vanished
  std::vector<int> equations;  // that are involved in vanishing combinations with polynomials in d/dt as factors
  std::vector<int> unknowns;   // that are arbitrary functions in some solution of the homogeneous system
  std::vector<linear::RankDecision> decisions;
};

std::variant<WeierstrassForm, SingularPencil> weierstrass_form(const Pencil& pencil);

// z at a time, from d and its derivatives there, at least `index` of them, the 0th included.
Eigen::VectorXd algebraic_part(const WeierstrassForm& form, std::span<const Eigen::VectorXd> derivatives_of_d);

}  // namespace driftless::pencil
