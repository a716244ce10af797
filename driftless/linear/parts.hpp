// The parts of a matrix that can be solved one after the other: its irreducible diagonal blocks in block triangular
// form (Duff, Reid 1978). An unknown of one part depends on those of later parts, never on those of earlier ones.
#pragma once

#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

struct Parts {
  explicit Parts(const Pattern& pattern);

  bool regular;  // structurally; if not, the rest is not computed
  std::vector<int> of_row, of_column;
  std::vector<int> lines;  // of each part
};

}  // namespace driftless::linear
