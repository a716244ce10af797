// Copies of some elements of an array to places of another: as blocks where both are consecutive, otherwise one by one.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace driftless {

class BlockCopy {
 public:
  BlockCopy() = default;
  // Pairs of places: from, to.
  explicit BlockCopy(const std::vector<std::pair<int, int>>& pairs) {
    for (std::size_t k = 0; k < pairs.size();) {
      int count = 1;
      while (k + count < pairs.size() && pairs[k + count].first == pairs[k].first + count &&
             pairs[k + count].second == pairs[k].second + count)
        ++count;
      if (count >= worth_a_block)
        blocks_.push_back({pairs[k].first, pairs[k].second, count});
      else
        for (int i = 0; i < count; ++i) single_.push_back(pairs[k + i]);
      k += count;
    }
  }

  void operator()(std::span<const double> from, std::span<double> to) const {
    for (const Block& block : blocks_) std::copy_n(from.data() + block.from, block.count, to.data() + block.to);
    for (const auto& [source, target] : single_) to[target] = from[source];
  }

 private:
  static constexpr int worth_a_block = 16;
  struct Block {
    int from, to, count;
  };
  std::vector<Block> blocks_;
  std::vector<std::pair<int, int>> single_;
};

}  // namespace driftless
