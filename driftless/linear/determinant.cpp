#include "driftless/linear/determinant.hpp"

#include <algorithm>
#include <bit>

namespace driftless::linear {
namespace {

constexpr double nearly_singular = 1e-9;  // a pivot, in units of its row

}  // namespace

// Row `row` becomes row - factor * above, behind the column that its entry is eliminated from.
void SmallMatrix::subtract(int above, int row) {
  double* const to = &at(row, 0);
  const double* const from = &at(above, 0);
  const double factor = to[above] / from[above];
  std::uint64_t *const there = where(row), *const here = where(above);
  for (std::size_t w = static_cast<std::size_t>(above) / word; w < words_; ++w) {
    std::uint64_t left = here[w];
    if (w == static_cast<std::size_t>(above) / word) left &= ~std::uint64_t{0} << above % word << 1;
    there[w] |= left;
    const std::size_t first = std::max(w * word, static_cast<std::size_t>(above) + 1);
    const std::size_t last = std::min((w + 1) * word, static_cast<std::size_t>(lines_));
    if (2 * static_cast<std::size_t>(std::popcount(left)) >= last - first) {  // it is nearly full
      for (std::size_t column = first; column < last; ++column) to[column] -= factor * from[column];
      continue;
    }
    for (; left != 0; left &= left - 1) {
      const std::size_t column = w * word + static_cast<std::size_t>(std::countr_zero(left));
      to[column] -= factor * from[column];
    }
  }
}

Determinant SmallMatrix::determinant() {
  Determinant result{1, Magnitude(1.0)};
  const int n = lines_;
  for (int i = 0; i < n; ++i) {
    if (!(scale_[i] > 0.0) || !std::isfinite(scale_[i])) return {};
    scale_[i] = 1.0 / scale_[i];
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    double largest = std::abs(at(k, k)) * scale_[k];
    for (int i = k + 1; i < n; ++i)
      if (has(i, k))
        if (const double size = std::abs(at(i, k)) * scale_[i]; size > largest) pivot = i, largest = size;
    if (!(largest > nearly_singular)) return {};
    if (pivot != k) {
      std::swap_ranges(&at(k, k), &at(k, 0) + n, &at(pivot, k));
      std::swap_ranges(where(k), where(k) + words_, where(pivot));
      std::swap(scale_[k], scale_[pivot]);
      result.sign = -result.sign;
    }
    const double own = at(k, k);
    if (own < 0.0) result.sign = -result.sign;
    result.size.multiply(std::abs(own));
    for (int i = k + 1; i < n; ++i)
      if (has(i, k)) subtract(k, i);
  }
  return result;
}

}  // namespace driftless::linear
