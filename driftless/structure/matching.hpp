// Maximum matching of equations with variables: each equation gets its own variable, as far as possible.
#pragma once

#include <vector>

#include "driftless/structure/signature.hpp"

namespace driftless::structure {

// Both directions of one partial bijection: col_of(r) == c exactly when row_of(c) == r.
struct Matching {
  std::vector<Col> col_of_row;  // no_col where unmatched
  std::vector<Row> row_of_col;  // no_row where unmatched
  int size = 0;

  Matching() = default;
  Matching(int rows, int cols) : col_of_row(rows, no_col), row_of_col(cols, no_row) {}

  Col col_of(Row r) const { return col_of_row[index(r)]; }
  Row row_of(Col c) const { return row_of_col[index(c)]; }
  bool is_perfect() const {
    const int rows = static_cast<int>(col_of_row.size()), cols = static_cast<int>(row_of_col.size());
    return size == rows && size == cols;
  }
};

// Maximum matching, O(E sqrt(V)) (Hopcroft and Karp 1973). Rows and columns are tried in index order: the
// same model always gives the same matching.
Matching maximum_matching(const Signature& signature);

}  // namespace driftless::structure
