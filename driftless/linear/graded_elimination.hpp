// Gaussian elimination that chooses a basis among columns of different grades, and the rank with it.
//
// Of all sets of columns that are a basis of the column space, it finds one with as many columns of the lowest grade as
// possible, then of the next grade, and so on: a pivot is always of the lowest grade that its row still has. (A row
// that takes a pivot of a high grade has no entries of lower grades, and no later step creates any: only rows without
// entries of lower grades are ever added to it.) The columns that are not chosen are then the independent unknowns of A
// x = b, of the highest grades possible.
//
// Zeros are decided by running error analysis (Wilkinson 1963): every entry carries a bound of its rounding error, and
// an entry that is not larger than its bound counts as cancelled. This does not depend on units of rows and columns.
//
// Rows are taken in the order of their present lengths, and among pivots of comparable size the one whose column has
// the fewest entries, so that chains, trees and bands cause no fill.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace driftless::linear {

struct GradedElimination {
  struct Pivot {
    int row, col;
  };
  std::vector<Pivot> pivots;   // in the order of elimination
  std::vector<int> dependent;  // rows that depend on those of the pivots, ascending
  int rank() const { return static_cast<int>(pivots.size()); }
};

// `rows` are lists of (column, value), no column twice in a row; `grade` is one number per column. Within a grade sizes
// are compared in units of `scale`, one per column, if it is given. `error`: of each entry, relative to it. Values must
// be finite.
GradedElimination eliminate_by_grade(const std::vector<std::vector<std::pair<int, double>>>& rows,
                                     std::span<const int> grade, std::span<const double> scale = {},
                                     double error = 4.0 * std::numeric_limits<double>::epsilon());

}  // namespace driftless::linear
