// How the equations of one step and their unknowns grow with the step size h.
//
// The entries of the matrix ∂F/∂y + alpha ∂F/∂y', alpha ~ 1/h, are of the size h^(-sigma_ij): sigma_ij = 1 where y'_j
// enters row i, else 0. Its condition grows like h^(-index) (Petzold, Lötstedt 1986). The smallest offsets of these
// integers, as in the Sigma-method,
//
//   d_j - c_i >= sigma_ij, with equality on a transversal,
//
// give the scaling: rows times h^(-c_i) and columns times h^(d_j) leave entries of size 1 and a matrix whose limit for
// h -> 0 consists of the entries with equality.
//
// They also give the effect of a perturbation delta of row i on an unknown that row i is needed to determine: delta
// h^(d_j - c_i). Relative to a delta of the size of h, as in a differential equation,
//
//   index_j = 1 + max { c_i : row i is needed for unknown j } - d_j
//
// is 0 for what is integrated, 1 for what follows from it by algebraic equations and for what is held by a constraint,
// 2 for multipliers of the velocity level and the velocities of the original form, 3 for multipliers of the latter.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/system/problem.hpp"

namespace driftless {

struct IndexScaling {
  std::vector<int> rows;     // c_i: the row is multiplied by h^(-c_i)
  std::vector<int> columns;  // d_j: the column is multiplied by h^(d_j)
  std::vector<int> index;    // of unknown j

  int highest_index() const;
  void archive(Archive& archive) { archive(rows, columns, index); }

  // h^(-c_i) and h^(d_j), rounded to powers of two so that the scaling itself is exact.
  void scales(double h, std::span<double> row_scale, std::span<double> column_scale) const;
};

// Which components enter the error test: those that are differentiated in the model and have an index of at most 1.
// Highest derivatives and multipliers follow from these algebraically (Brenan, Campbell, Petzold 1996, Section 5.4) and
// are left out, with one exception: where nothing holds the solution on the constraints, their errors make it drift, so
// they are tested as long as everything has index 1 (the variables of the model, but not their highest derivatives).
// The error of an unknown of index 2 does not vanish with the step size: a test on it would reject every step.
std::vector<bool> in_error_test(const Problem& problem, const IndexScaling& grading);

// The factor by which Newton's iteration may leave a larger error in an unknown of this index: it affects the others
// only by h^(index - 1).
double newton_allowance(int index, double h);

// All numbers are 0 if the matrix of the problem is structurally singular.
IndexScaling grade(const Problem& problem);

// The same after its states have changed. An index of 1 stays 1 for any choice of states: states are chosen such that
// the rows determine everything else. Then there is nothing to analyse.
IndexScaling grade_again(const Problem& problem, const IndexScaling& before);

}  // namespace driftless
