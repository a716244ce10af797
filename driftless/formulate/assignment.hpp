// The assignment of rows to columns of a square matrix with the smallest sum, O(n³) (Kuhn 1955, Munkres 1957).
#pragma once

#include <vector>

namespace driftless {

std::vector<int> cheapest_assignment(const std::vector<std::vector<double>>& cost);  // the column of each row

}  // namespace driftless
