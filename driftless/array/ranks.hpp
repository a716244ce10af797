// The ranks of a derivative array at a point, and their meaning (docs/derivative-array.md). With the columns of its
// Jacobian in the order below, top, above, the array determines the highest derivatives, independent of those above
// them, if it is 1-full with respect to them (Campbell, Moore 1995):
//
//   rank [top above] = number of variables + rank [above].
//
// The remaining rows, (m + 1) n - rank [top above], are the constraints on the columns below.
#pragma once

#include <Eigen/Sparse>

#include "driftless/array/derivative_array.hpp"

namespace driftless {

struct ArrayRanks {
  int above = 0, top_and_above = 0, all = 0;
  int rows = 0, variables = 0, below = 0;
  bool determines_rates = false;  // of all variables, including those whose derivatives do not occur in the model
  bool clear = true;              // every rank has a gap
  double smallest_kept = 1.0, largest_dropped = 0.0;

  bool full_row_rank() const { return all == rows; }
  bool determines_highest() const { return top_and_above == variables + above; }
  int constraints() const { return rows - top_and_above; }
  int degrees_of_freedom() const { return below - constraints(); }
  bool agrees_with(const ArrayRanks& other) const {
    return above == other.above && top_and_above == other.top_and_above && all == other.all;
  }
};

// The ranks of the rows of the array, without initial equations. Precondition: the entries are finite.
ArrayRanks ranks_of(const DerivativeArray& array, const Eigen::SparseMatrix<double>& jacobian);

}  // namespace driftless
