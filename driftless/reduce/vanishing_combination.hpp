// Linear dependence between rows of expressions: u with sum_i u_i a_ij = 0 for all j, as expressions.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "driftless/expr/pool.hpp"
#include "driftless/reduce/generic_point.hpp"

namespace driftless {

struct ExpressionEntry {
  int col;
  NodeId value;
};
using ExpressionRows = std::vector<std::vector<ExpressionEntry>>;

struct VanishingCombination {
  std::vector<int> rows;        // as few as possible, ascending
  std::vector<NodeId> factors;  // of these rows; constants if possible
};

// `points`: where expressions are compared with zero, three at least. Nothing if the rows are independent at one of
// them, or the factors become too long. `may_use`: only rows for which it is true are used.
std::optional<VanishingCombination> find_vanishing_combination(Pool& pool, const ExpressionRows& rows, int cols,
                                                               const std::vector<GenericPoint>& points,
                                                               const std::function<bool(int row)>& may_use = {});

}  // namespace driftless
