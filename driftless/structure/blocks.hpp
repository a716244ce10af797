// The block lower triangular form of a square system: the order in which it can be solved, one block at a time.
#pragma once

#include <vector>

#include "driftless/structure/matching.hpp"

namespace driftless::structure {

struct Block {
  std::vector<Row> rows;  // ascending
  std::vector<Col> cols;  // cols[k] is matched with rows[k]
};

// The strongly connected components of the matched digraph (Tarjan 1972), in an order in which the rows of a
// block use only columns of their own block and of earlier ones. The blocks are as small as any permutation can make
// them and do not depend on the perfect matching. All entries count: for the highest derivatives only, pass
// system_jacobian_pattern() of analysis.hpp. Precondition: the matching is perfect.
std::vector<Block> block_triangular_form(const Signature& signature, const Matching& matching);

}  // namespace driftless::structure
