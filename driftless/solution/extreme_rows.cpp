#include "driftless/solution/extreme_rows.hpp"

#include <algorithm>

namespace driftless {

std::vector<std::size_t> extreme_rows(std::span<const double> values, std::size_t rows, std::size_t curves) {
  const std::size_t n = curves, group = 4 * std::max<std::size_t>(n, 1);
  std::vector<std::size_t> all, stay;
  for (std::size_t begin = 0; begin < rows; begin += group) {
    const std::size_t end = std::min(begin + group, rows);
    stay.clear();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t lowest = begin, highest = begin;
      for (std::size_t row = begin + 1; row < end; ++row) {
        if (values[row * n + k] < values[lowest * n + k]) lowest = row;
        if (values[row * n + k] > values[highest * n + k]) highest = row;
      }
      stay.push_back(lowest), stay.push_back(highest);
    }
    if (begin == 0 || n == 0) stay.push_back(begin);
    if (end == rows) stay.push_back(end - 1);
    std::ranges::sort(stay);
    stay.erase(std::ranges::unique(stay).begin(), stay.end());
    all.insert(all.end(), stay.begin(), stay.end());
  }
  return all;
}

}  // namespace driftless
