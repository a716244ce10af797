#include "driftless/linear/diagonal_blocks.hpp"

#include <btf.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::linear {
namespace {

constexpr std::size_t largest_block = 64;
constexpr double nearly_singular = 1e-9;  // a pivot, in units of its row

}  // namespace

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
  std::size_t largest = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    if (block.rows.size() > largest_block) continue;
    largest = std::max(largest, block.rows.size());
    for (std::size_t c = 0; c < block.columns.size(); ++c)
      for (int p = pattern.starts[block.columns[c]]; p < pattern.starts[block.columns[c] + 1]; ++p)
        if (block_of_row[pattern.rows[p]] == static_cast<int>(b))
          entries_[b].push_back({p, place_of_row[pattern.rows[p]], static_cast<int>(c)});
  }
  dense_.resize(largest * largest);
}

void DiagonalBlocks::signs(std::span<const double> values, std::span<int> out) {
  double log_size = 0.0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) out[b] = sign(b, values, log_size);
}

void DiagonalBlocks::signs(std::span<const double> values, std::span<int> out, std::span<double> log_sizes) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) out[b] = sign(b, values, log_sizes[b]);
}

// Gaussian elimination with partial pivoting, rows of size 1.
int DiagonalBlocks::sign(std::size_t block, std::span<const double> values, double& log_size) {
  log_size = -std::numeric_limits<double>::infinity();
  const std::vector<Entry>& entries = entries_[block];
  const int n = static_cast<int>(blocks_[block].rows.size());
  if (entries.empty()) return 0;
  if (n == 1) {
    log_size = std::log(std::abs(values[entries[0].position]));
    return values[entries[0].position] > 0.0 ? 1 : values[entries[0].position] < 0.0 ? -1 : 0;
  }
  const auto at = [&](int i, int j) -> double& { return dense_[static_cast<std::size_t>(i) * n + j]; };
  std::fill_n(dense_.begin(), static_cast<std::size_t>(n) * n, 0.0);
  for (const Entry& e : entries) at(e.row, e.column) += values[e.position];
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    double size = 0.0;
    for (int j = 0; j < n; ++j) size = std::fmax(size, std::abs(at(i, j)));
    if (!(size > 0.0) || !std::isfinite(size)) return 0;
    for (int j = 0; j < n; ++j) at(i, j) /= size;
    sum += std::log(size);
  }
  int result = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    if (!(std::abs(at(pivot, k)) > nearly_singular)) return 0;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(at(k, j), at(pivot, j));
      result = -result;
    }
    if (at(k, k) < 0.0) result = -result;
    sum += std::log(std::abs(at(k, k)));
    for (int i = k + 1; i < n; ++i) {
      const double factor = at(i, k) / at(k, k);
      if (factor == 0.0) continue;
      for (int j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
    }
  }
  log_size = sum;
  return result;
}

}  // namespace driftless::linear
