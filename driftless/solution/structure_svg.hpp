// A picture of the structure of a model: its square signature matrix in block triangular form. An equation
// that is differentiated more often is drawn in a stronger colour; entries that do not take part in
// the system Jacobian (sigma < d - c) are drawn faint.
#pragma once

#include <string>
#include <vector>

#include "driftless/solution/svg.hpp"

namespace driftless {

struct StructurePicture {
  struct Entry {
    int row = 0, col = 0;
    int sigma = 0;  // order of the highest derivative of the variable in the equation
    bool on_transversal = false;
  };

  std::string title{};
  std::vector<std::string> row_labels{}, column_labels{};  // equations and variables, equally many
  std::vector<Entry> entries{};                            // one on the transversal in each row and each column
  std::vector<int> row_order{};            // the rows from top to bottom; empty: as numbered. Columns follow the
                                           // transversal, so that it is the diagonal
  std::vector<int> block_sizes{};          // along the diagonal; empty: no blocks are drawn
  std::vector<int> differentiations{};     // c, by row; empty: none
  std::vector<int> highest_derivatives{};  // d, by column; empty: unknown, then no entry is faint
  Theme theme = Theme::Auto;
};

// With labels and orders up to 60 equations; for more, entries and blocks without labels.
std::string structure_svg(const StructurePicture& picture);

}  // namespace driftless
