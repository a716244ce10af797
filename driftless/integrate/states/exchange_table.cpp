#include "driftless/integrate/states/exchange_table.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// A smaller pivot, relative to the largest entry of its row, is a rounding error.
constexpr double singular = 1e-17;

void subtract(double factor, std::span<const double> from, std::span<double> row) {
  const double* __restrict source = from.data();
  double* __restrict target = row.data();
  for (std::size_t j = 0; j < row.size(); ++j) target[j] -= factor * source[j];
}

}  // namespace

ExchangeTable::ExchangeTable(int rows, int columns)
    : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows) * columns), size_(rows) {}

void ExchangeTable::clear() {
  std::ranges::fill(values_, 0.0);
  std::ranges::fill(size_, 0.0);
}

void ExchangeTable::set(int row, int column, double value) {
  values_[at(row, column)] = value;
  size_[row] = std::max(size_[row], std::abs(value));
}

// The best pivot among the rows from `column` on. Rows may have different units.
int ExchangeTable::pivot_row(int column) const {
  const auto size = [&](int i) { return std::abs(values_[at(i, column)]) / size_[i]; };
  int best = -1;
  double largest = singular;
  for (int i = column; i < rows_; ++i)
    if (values_[at(i, column)] != 0.0 && size(i) > largest) best = i, largest = size(i);
  return best;
}

bool ExchangeTable::reduce() {
  for (int k = 0; k < rows_; ++k) {
    const int pivot = pivot_row(k);
    if (pivot < 0) return false;
    if (pivot != k) {
      std::ranges::swap_ranges(from(k, k), from(pivot, k));
      std::swap(size_[k], size_[pivot]);
    }
    const double value = values_[at(k, k)];
    const std::span<double> rest = from(k, k + 1);  // the rest of M, and N
    for (double& v : rest) v /= value;
    for (int i = 0; i < rows_; ++i)
      if (const double factor = values_[at(i, k)]; i != k && factor != 0.0) subtract(factor, rest, from(i, k + 1));
  }
  return true;
}

ExchangeTable::Entry ExchangeTable::largest() const {
  Entry best;
  for (int i = 0; i < rows_; ++i)
    for (int j = 0; j < columns_ - rows_; ++j)
      if (const double size = std::abs(entry(i, j)); size > best.size) best = {i, j, size};
  return best;
}

}  // namespace driftless
