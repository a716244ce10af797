#include "driftless/linear/determinant.hpp"

#include <algorithm>
#include <bit>

namespace driftless::linear {
namespace {

constexpr double nearly_singular = 1e-9;   // a pivot, in units of its row
constexpr std::size_t sparse_columns = 6;  // this few entries are handled one by one
constexpr int fewest_lines = 3;            // for which pivots are worth storing

}  // namespace

// Subtracts factor * above from row `row`, after the column in which its entry is eliminated.
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
    if (last > first + sparse_columns && 2 * static_cast<std::size_t>(std::popcount(left)) >= last - first) {
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
    const std::uint64_t* has_entry = where(k) + k / word;
    const auto is_given = [bit = k % word](std::uint64_t columns) { return columns >> bit & 1; };
    for (int i = k + 1; i < n; ++i)
      if (has_entry += words_; is_given(*has_entry))
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
    has_entry = where(k) + k / word;
    for (int i = k + 1; i < n; ++i)
      if (has_entry += words_; is_given(*has_entry)) subtract(k, i);
  }
  return result;
}

// ---- repeated determinants

RepeatedDeterminant::RepeatedDeterminant(int lines, std::vector<Coordinate> entries)
    : lines_(lines),
      entries_(std::move(entries)),
      matrix_(lines > 1 ? static_cast<std::size_t>(lines) : 0),
      size_of_row_(static_cast<std::size_t>(lines)) {
  if (lines >= fewest_lines) elimination_.emplace(lines, entries_);
}

Determinant RepeatedDeterminant::operator()(std::span<const double> values) {
  if (lines_ == 1) return entries_.empty() ? Determinant{} : determinant_of(values[0]);
  Determinant result;
  if (elimination_ && by_pivots(values, result)) return result;
  matrix_.clear(lines_);
  for (std::size_t k = 0; k < entries_.size(); ++k) matrix_.add(entries_[k].row, entries_[k].col, values[k]);
  return matrix_.determinant();
}

bool RepeatedDeterminant::by_pivots(std::span<const double> values, Determinant& result) {
  if (!elimination_->factorize(values)) return false;
  std::ranges::fill(size_of_row_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    double& size = size_of_row_[entries_[k].row];
    size = std::max(size, std::abs(values[k]));
  }
  bool is_negative = false, is_regular = true;
  Magnitude reciprocal(1.0);
  const bool told = elimination_->each_reciprocal_pivot([&](int row, double pivot) {
    is_negative ^= pivot < 0.0;
    is_regular &= nearly_singular * size_of_row_[row] * std::abs(pivot) < 1.0;
    reciprocal.multiply(std::abs(pivot));
  });
  if (!told || !is_regular) return false;
  if (!elimination_->is_by_chain()) find_parity();
  result = {is_negative ? -1 : 1, reciprocal.reciprocal()};
  if (!elimination_->is_by_chain()) result.sign *= parity_;
  return true;
}

// Computes the parity of the order of pivots as a permutation of rows and columns.
void RepeatedDeterminant::find_parity() {
  if (choices_ == elimination_->choices()) return;
  choices_ = elimination_->choices();
  const Elimination::Order& order = elimination_->order();
  std::vector<int> column_of_row(static_cast<std::size_t>(lines_));
  for (int k = 0; k < lines_; ++k) column_of_row[order.row_of[k]] = order.column_of[k];
  parity_ = 1;
  for (int row = 0; row < lines_; ++row)
    for (int column = column_of_row[row]; column != row; column = column_of_row[row]) {
      std::swap(column_of_row[row], column_of_row[column]);
      parity_ = -parity_;
    }
}

}  // namespace driftless::linear
