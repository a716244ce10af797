// The irreducible diagonal blocks of the block triangular form (Duff, Reid 1978), and the signs of their determinants:
// a matrix that changes continuously is singular somewhere between two times at which a sign differs.
#pragma once

#include <span>
#include <vector>

#include "driftless/linear/determinant.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

class DiagonalBlocks {
 public:
  explicit DiagonalBlocks(const Pattern& pattern);

  struct Block {
    std::vector<int> rows, columns;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  // More lines are not looked at: then there is no sign.
  static constexpr std::size_t largest = 64;
  // Of one block. `values` as in the pattern.
  Determinant determinant(std::size_t block, std::span<const double> values);

 private:
  Pattern pattern_;
  std::vector<Block> blocks_;
  struct Entry {
    int position, row, column;  // among the values; within the block
  };
  std::vector<std::vector<Entry>> entries_;  // per block
  SmallMatrix matrix_;
};

}  // namespace driftless::linear
