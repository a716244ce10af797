// The infinite part of a pencil A + λB, split off by orthogonal transformations alone (the staircase of Van Dooren
// 1979; in the words of DAEs, the shuffle algorithm of Luenberger 1978).
//
// A pass looks for the combinations of equations in which no derivative occurs, Uᵀ B = 0. If their coefficients Uᵀ A
// are independent, they determine as many combinations of the unknowns, and both are removed from the pencil:
//
//   left A right = | A11 A12 |     left B right = | B11 B12 |     A22 upper triangular and nonsingular,
//                  |  0  A22 |                    |  0  B22 |     B22 strictly block upper triangular
//
// Passes are repeated on (A11, B11) until B11 is nonsingular. If the coefficients of a pass are dependent, a
// combination of the equations vanishes for all unknowns: the pencil is singular. This cannot happen for a regular
// pencil, since every pass divides det(A + λB) by a nonzero number.
//
// A QZ iteration would not suffice: it computes the eigenvalues of an infinite Jordan block of size m as finite numbers
// of size eps^(-1/m).
#pragma once

#include <vector>

#include "driftless/linear/rank_decision.hpp"
#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

struct Staircase {
  Eigen::Index finite = 0;                      // dimension of (A11, B11)
  Eigen::MatrixXd A, B;                         // transformed as above
  Eigen::MatrixXd left, right;                  // orthogonal
  std::vector<int> steps;                       // how many combinations each pass has found, first pass first
  std::vector<linear::RankDecision> decisions;  // in the order in which they were made
  bool is_singular = false;                     // then `finite` is the dimension of the remainder when this was found
  int index() const { return static_cast<int>(steps.size()); }
};

// Precondition: the entries of the pencil are comparable in size (balance.hpp).
Staircase find_staircase(const Pencil& pencil);

// The sizes of the Jordan blocks at infinity, descending: steps[k] counts the blocks larger than k.
std::vector<int> block_sizes(const std::vector<int>& steps);

}  // namespace driftless::pencil
