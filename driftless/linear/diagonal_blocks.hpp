// The irreducible diagonal blocks of the block triangular form (Duff, Reid 1978), and the signs of their determinants:
// a matrix that changes continuously is singular somewhere between two times at which a sign differs.
#pragma once

#include <span>
#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

class DiagonalBlocks {
 public:
  explicit DiagonalBlocks(const Pattern& pattern);

  struct Block {
    std::vector<int> rows, columns;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  // For every block 1 or -1, or 0 if it is nearly singular, has values that are not finite, or is too large to be
  // looked at. `values` as in the pattern.
  void signs(std::span<const double> values, std::span<int> out);
  // The same, with the logarithm of the size of the determinant of every block that has a sign.
  void signs(std::span<const double> values, std::span<int> out, std::span<double> log_sizes);

 private:
  int sign(std::size_t block, std::span<const double> values, double& log_size);

  Pattern pattern_;
  std::vector<Block> blocks_;
  struct Entry {
    int position, row, column;  // among the values; within the block
  };
  std::vector<std::vector<Entry>> entries_;  // per block
  std::vector<double> dense_;
};

}  // namespace driftless::linear
