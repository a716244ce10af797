// A basis among columns of different grades, as graded_elimination.hpp finds it, for a sparse matrix that changes
// little from one look to the next while its ranks stay: of every grade the number of columns in the basis.
//
// The first look finds which rows have their pivots in which grade, and an order of the rows that causes little fill.
// From then on the rows are eliminated in this order. In each the largest entry of its grade is the pivot, the columns
// that are in the basis already being favoured, so that a column leaves only where another is better by that factor.
// What is left of the row in lower grades is zero as long as the ranks stay. Where a pivot vanishes, or something is
// left, other rows may serve, and they are looked for anew; if there are none, the ranks have changed.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driftless/archive/archive.hpp"

namespace driftless::linear {

class GradedBasis {
 public:
  using Rows = std::vector<std::vector<std::pair<int, double>>>;  // (column, value), no column twice in a row

  // `grades`: of each column, 0, 1, ...; `numbers`: of each grade, how many columns are in the basis.
  GradedBasis(std::vector<int> grades, std::vector<int> numbers);

  // All entries about 1 in size, at a point where they are exact to rounding. False, if the ranks are others; then
  // there is some basis of the right numbers, which is not regular.
  bool choose(const Rows& rows);
  // The columns that are favoured by the factor stay. False, and nothing changes, if the ranks are others.
  bool improve(const Rows& rows, double favour);
  // With the present basis: the sign of its determinant, the same factor at all points; 0 if it is singular.
  int sign(const Rows& rows) const;
  bool has_ranks(const Rows& rows) const { return GradedBasis(*this).improve(rows, 1.0); }

  const std::vector<int>& columns() const { return basis_; }  // ascending
  void archive(Archive& archive) { archive(order_, grade_of_row_, basis_); }

 private:
  struct Look {
    std::vector<int> pivots;  // by the order of rows
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
