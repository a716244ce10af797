#include "driftless/linear/diagonal_blocks.hpp"

#include <btf.h>

#include <algorithm>

namespace driftless::linear {

DiagonalBlocks::DiagonalBlocks(const Pattern& pattern) : pattern_(pattern) {
  const int n = pattern.size;
  if (n == 0) return;
  std::vector<int> rows(n), columns(n), starts(n + 1), work(5 * n);
  double steps = 0.0;
  int matched = 0;
  const int parts = btf_order(n, const_cast<int*>(pattern.starts.data()), const_cast<int*>(pattern.rows.data()), 0.0,
                              &steps, rows.data(), columns.data(), starts.data(), &matched, work.data());
  if (matched < n) return;  // singular by its pattern: nothing to be seen
  std::vector<int> block_of_row(n), place_of_row(n);
  for (int b = 0; b < parts; ++b) {
    Block& block = blocks_.emplace_back();
    for (int k = starts[b]; k < starts[b + 1]; ++k) {
      block_of_row[rows[k]] = b;
      place_of_row[rows[k]] = k - starts[b];
      block.rows.push_back(rows[k]);
      block.columns.push_back(BTF_UNFLIP(columns[k]));
    }
  }
  entries_.resize(blocks_.size());
  std::size_t lines = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    if (block.rows.size() > largest) continue;
    lines = std::max(lines, block.rows.size());
    for (std::size_t c = 0; c < block.columns.size(); ++c)
      for (int p = pattern.starts[block.columns[c]]; p < pattern.starts[block.columns[c] + 1]; ++p)
        if (block_of_row[pattern.rows[p]] == static_cast<int>(b))
          entries_[b].push_back({p, place_of_row[pattern.rows[p]], static_cast<int>(c)});
  }
  matrix_ = SmallMatrix(lines);
}

Determinant DiagonalBlocks::determinant(std::size_t block, std::span<const double> values) {
  if (entries_[block].empty()) return {};
  if (blocks_[block].rows.size() == 1) return determinant_of(values[entries_[block][0].position]);
  matrix_.clear(static_cast<int>(blocks_[block].rows.size()));
  for (const Entry& e : entries_[block]) matrix_.add(e.row, e.column, values[e.position]);
  return matrix_.determinant();
}

}  // namespace driftless::linear
