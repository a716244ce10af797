// One entry in each row and each column of a square matrix, such that the product of their sizes is the largest
// possible: candidates for the diagonal if pivots are taken from it.
//
// In logarithms it is an assignment of least cost, c_ij = log(largest of column j) - log |a_ij|, found by shortest
// augmenting paths (Duff, Koster 2001). Columns are taken in their order, so the same matrix always gives the same
// entries.
#pragma once

#include <span>
#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

// The row of each column; empty if the pattern has no such entries. Sizes are not negative. An entry of size 0 is taken
// only if there is no other.
std::vector<int> largest_transversal(const Pattern& pattern, std::span<const double> sizes);

}  // namespace driftless::linear
