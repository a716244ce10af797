// A basis among columns of different grades, as graded_elimination.hpp finds it, for a sparse matrix that changes
// little from one call to the next while its ranks, the numbers of basis columns of each grade, stay the same.
//
// The first call finds which rows have their pivots in which grade, and an order of the rows that causes little fill.
// From then on the rows are eliminated in this order. In each the pivot is the largest entry of its grade, with columns
// of the present basis favoured by a factor, so that a column leaves only if another is better by this factor. The
// remainder of the row in lower grades is zero as long as the ranks stay. If a pivot vanishes, or the remainder does
// not, other rows are searched; if there are none, the ranks have changed.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driftless/archive/archive.hpp"

namespace driftless::linear {

class GradedBasis {
 public:
  using Rows = std::vector<std::vector<std::pair<int, double>>>;  // (column, value), no column twice in a row

  // `grades`: of each column, 0, 1, ...; `numbers`: of each grade, the number of columns in the basis.
  GradedBasis(std::vector<int> grades, std::vector<int> numbers);

  // Precondition: all entries are of size about 1 and exact to rounding. False if the ranks differ; then the basis has
  // the right numbers of columns but is singular.
  bool choose(const Rows& rows);
  // Improves the basis; present columns are favoured by the factor. False, with no effect, if the ranks differ.
  bool improve(const Rows& rows, double favour);
  // The sign of the determinant of the present basis, up to a sign that is the same at all points; 0 if it is singular.
  int sign(const Rows& rows) const;
  bool has_ranks(const Rows& rows) const { return GradedBasis(*this).improve(rows, 1.0); }

  const std::vector<int>& columns() const { return basis_; }  // ascending
  void archive(Archive& archive) { archive(order_, grade_of_row_, basis_); }

 private:
  struct Look {
    std::vector<int> pivots;  // in the order of rows
    bool regular = true;
    int sign = 1;
  };
  Look eliminate(const Rows& rows, double favour) const;
  bool find_rows(const Rows& rows, double error);
  void take(std::vector<int> pivots);

  std::vector<int> grades_, numbers_;
  std::vector<int> order_, grade_of_row_;  // of rows, and along the order
  std::vector<int> basis_;
};

}  // namespace driftless::linear
