// What a maximum matching proves about a system that is not square or not solvable: which equations are too
// many, and which variables nothing determines.
#pragma once

#include <vector>

#include "driftless/structure/matching.hpp"

namespace driftless::structure {

// The coarse decomposition of Dulmage and Mendelsohn (1958). The three parts do not depend on the maximum
// matching that was found, so a message made of them is always the same. They partition rows and columns.
// Equations of the over part use only over_cols; variables of the under part occur only in under_rows.
// Ascending indices.
struct DulmageMendelsohn {
  std::vector<Row> over_rows;   // more equations than ...
  std::vector<Col> over_cols;   // ... the variables they constrain
  std::vector<Row> under_rows;  // fewer equations than ...
  std::vector<Col> under_cols;  // ... the variables they leave open
  std::vector<Row> square_rows;
  std::vector<Col> square_cols;
};

// Precondition: the matching is maximum.
DulmageMendelsohn dulmage_mendelsohn(const Signature& signature, const Matching& matching);

// Connected components of a set of rows and columns, so that independent errors are reported separately. Components
// come in the order of their first row, those without a row last; members keep the given order.
struct Component {
  std::vector<Row> rows;
  std::vector<Col> cols;
};
std::vector<Component> connected_components(const Signature& signature, const std::vector<Row>& rows,
                                            const std::vector<Col>& cols);

}  // namespace driftless::structure
