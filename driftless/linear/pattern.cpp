#include "driftless/linear/pattern.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace driftless::linear {

Assembly assemble(int size, std::span<const Coordinate> coordinates) {
  std::vector<int> order(coordinates.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int k) { return std::pair(coordinates[k].col, coordinates[k].row); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  Assembly result;
  result.pattern.size = size;
  result.pattern.starts.assign(size + 1, 0);
  result.position.resize(coordinates.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Coordinate at = coordinates[order[n]];
    assert(at.row >= 0 && at.row < size && at.col >= 0 && at.col < size);
    if (n == 0 || key(order[n - 1]) != key(order[n])) {
      result.pattern.rows.push_back(at.row);
      ++result.pattern.starts[at.col + 1];
    }
    result.position[order[n]] = static_cast<int>(result.pattern.rows.size()) - 1;
  }
  std::partial_sum(result.pattern.starts.begin(), result.pattern.starts.end(), result.pattern.starts.begin());
  return result;
}

}  // namespace driftless::linear
