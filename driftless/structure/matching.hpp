// Maximum matching and what it proves: the Dulmage-Mendelsohn parts and the block triangular form.
#pragma once

#include <vector>

#include "driftless/structure/signature.hpp"

namespace driftless::structure {

struct Matching {
  std::vector<Col> col_of_row;  // no_col where unmatched
  std::vector<Row> row_of_col;  // no_row where unmatched
  int size = 0;
};

// Maximum matching, O(E sqrt(V)) (Hopcroft-Karp). Rows and columns are tried in index order: the same model
// always gives the same matching.
Matching maximum_matching(const Signature& signature);

// The coarse decomposition of Dulmage and Mendelsohn (1958). The three parts do not depend on
// the matching that was found, so a message made of them is always the same. Ascending indices.
struct DulmageMendelsohn {
  std::vector<Row> over_rows;    // more equations than ...
  std::vector<Col> over_cols;    // ... the variables they constrain
  std::vector<Row> under_rows;   // fewer equations than ...
  std::vector<Col> under_cols;   // ... the variables they leave open
  std::vector<Row> square_rows;
  std::vector<Col> square_cols;
};
DulmageMendelsohn dulmage_mendelsohn(const Signature& signature, const Matching& matching);

// Connected components of a set of rows and columns, so that independent mistakes are reported apart.
struct Component {
  std::vector<Row> rows;
  std::vector<Col> cols;
};
std::vector<Component> connected_components(const Signature& signature, const std::vector<Row>& rows,
                                            const std::vector<Col>& cols);

// Block lower triangular form of a square matrix under a perfect matching (Tarjan 1972, iterative):
// a block uses only columns of its own and of earlier blocks. `entries` decides which entries count
// (all, or only those on the highest derivatives).
struct Block {
  std::vector<Row> rows;
  std::vector<Col> cols;  // cols[k] is matched with rows[k]
};
std::vector<Block> block_triangular_form(const Signature& signature, const Matching& matching);

}  // namespace driftless::structure
