// One entry in each row and each column of a square matrix, as far as its pattern allows.
#pragma once

#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

// The column of each row, -1 where there is none; of as many rows as possible, in a time that grows like E sqrt(V)
// (Hopcroft, Karp 1973). Columns and rows are tried in their order: the same pattern always gives the same entries.
std::vector<int> maximum_transversal(const Pattern& pattern);

}  // namespace driftless::linear
