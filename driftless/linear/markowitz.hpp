// Which entries of a sparse matrix become pivots, chosen during an elimination by the rule of Markowitz (1957): among
// the entries that are not small in their column, the one whose elimination can fill the fewest places,
//
//   (r_i - 1) (c_j - 1),   r_i, c_j the numbers of entries in row i and column j of the remainder.
//
// The search examines few of the shortest rows and columns (Zlatev 1980; Duff, Erisman, Reid 1986, Section 9.2), each
// time in the same order. Rows and columns are treated alike and the diagonal is not preferred, as the equations of a
// model are in no natural order. But a pivot belongs to one of the irreducible diagonal blocks of the block triangular
// form (Duff, Reid 1978): so an unknown that does not depend on another one is not affected by its rounding errors
// either, however large that one becomes.
//
// The remainder at the end is not searched. If it is nearly full, it is one dense block with its own pivots
// (dense_lu.hpp). If it is large, and the elimination has begun to fill it, as where unknowns are coupled in two or
// three dimensions, it is eliminated in fronts (front_order.hpp).
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/linear/archive_values.hpp"
#include "driftless/linear/front_order.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

// Pivot k is the entry (rows[k], columns[k]) of the matrix, for k < sparse; the others belong to the rest. In places of
// this order, the elimination fills
//
//   lower: by columns k < sparse, the rows below the pivot,
//   upper: by columns, the rows above the pivot and above the rest,
//   rest:  where it has entries, counted from its own first row and column, and how it is eliminated in fronts; nothing
//          if it is a dense block.
struct PivotOrder {
  struct Places {
    std::vector<int> starts{0};
    std::vector<int> rows;  // ascending in each column
    void archive(Archive& archive) { archive(starts, rows); }
  };

  int sparse = 0;
  std::vector<int> rows, columns;
  Places lower, upper;
  Pattern rest;
  std::shared_ptr<const FrontOrder> fronts;

  void archive(Archive& archive) {
    archive(sparse, rows, columns, lower, upper, rest);
    archive_shared(archive, fronts);
  }
};

// Pivots are at least `threshold` times as large as any entry of their column. Nothing if the matrix is singular.
template <class Number>  // double or std::complex<double>
std::optional<PivotOrder> choose_pivots(const Pattern& pattern, std::span<const Number> values, double threshold);

}  // namespace driftless::linear
