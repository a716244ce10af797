#include "driftless/linear/frontal_lu.hpp"

#include <algorithm>
#include <utility>

#include "driftless/linear/number.hpp"

namespace driftless::linear {

template <class Number>
FrontalLu<Number>::FrontalLu(std::shared_ptr<const FrontOrder> order) : order_(std::move(order)) {
  plan();
}

// Plans all places. A front puts its remainder on the stack of its level, even or odd, and its parent takes it from
// there before it puts its own on the other one.
template <class Number>
void FrontalLu<Number>::plan() {
  constexpr int planes = Front<Number>::planes;
  std::size_t values = 0, top[2] = {0, 0}, most[2] = {0, 0};
  int pivots = 0, largest = 0, child = 0;
  for (const FrontOrder::Front& front : order_->fronts) {
    const std::size_t size = front.size, own = front.pivots, rest = size - own;
    const int level = front.depth % 2;
    factors_.push_back({values, values + size * own, top[level], pivots});
    values += own * (size + rest);
    pivots += front.pivots;
    largest = std::max(largest, front.size);
    top[level] += planes * rest * rest;
    most[level] = std::max(most[level], top[level]);
    if (child < front.children) top[1 - level] = factors_[order_->children[child]].left;
    child = front.children;
  }
  values_.resize(values);
  rows_.resize(pivots);
  columns_.resize(pivots);
  outside_.resize(order_->outside.size());
  rows_at_hand_.resize(largest);
  columns_at_hand_.resize(largest);
  front_.reserve(largest);
  for (int level : {0, 1}) left_[level].resize(most[level]);
  pivots_.resize(pivots);
  lines_.resize(largest);
  x_.resize(order_->size);
}

// ---- elimination

template <class Number>
double FrontalLu<Number>::eliminate(std::span<const Number> values, std::span<const double> column_size) {
  double ratio = 1.0;
  multiplier_ = 0.0;
  for (std::size_t e = 0; e < outside_.size(); ++e) outside_[e] = values[order_->outside[e].position];
  for (int f = 0; f < static_cast<int>(order_->fronts.size()); ++f) {
    const FrontOrder::Front& front = order_->fronts[f];
    assemble(f, values);
    std::copy_n(order_->rows.begin() + front.first, front.size, rows_at_hand_.begin());
    std::copy_n(order_->columns.begin() + front.first, front.size, columns_at_hand_.begin());
    const auto pivots =
        front_.eliminate(front.pivots, 0.0, rows_at_hand_.data(), columns_at_hand_.data(), column_size.data());
    if (pivots.count < front.pivots) return 0.0;
    ratio = std::min(ratio, pivots.ratio);
    multiplier_ = std::max(multiplier_, pivots.multiplier);
    keep(f);
  }
  return ratio;
}

template <class Number>
void FrontalLu<Number>::assemble(int f, std::span<const Number> values) {
  const FrontOrder::Front& front = order_->fronts[f];
  front_.reset(front.size);
  for (int e = f > 0 ? order_->fronts[f - 1].given : 0; e < front.given; ++e) {
    const auto& [position, row, column] = order_->entries[e];
    front_.add(row, column, values[position]);
  }
  for (int c = f > 0 ? order_->fronts[f - 1].children : 0; c < front.children; ++c)
    add_what_is_left_of(order_->children[c]);
}

template <class Number>
void FrontalLu<Number>::add_what_is_left_of(int child) {
  const FrontOrder::Front& from = order_->fronts[child];
  const int rest = from.size - from.pivots, first = from.first + from.pivots;
  const int *const rows = order_->parent_row.data() + first, *const columns = order_->parent_column.data() + first;
  const double* value = left_at(child);
  for (int p = 0; p < Front<Number>::planes; ++p)
    for (int j = 0; j < rest; ++j, value += rest) {
      double* const to = front_.column(p, columns[j]);
      for (int i = 0; i < rest; ++i) to[rows[i]] += value[i];
    }
}

template <class Number>
void FrontalLu<Number>::keep(int f) {
  const int size = front_.size(), own = order_->fronts[f].pivots;
  std::copy_n(rows_at_hand_.begin(), own, rows_.begin() + factors_[f].pivots);
  std::copy_n(columns_at_hand_.begin(), own, columns_.begin() + factors_[f].pivots);
  Number* value = values_.data() + factors_[f].lower;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < (j < own ? size : own); ++i) *value++ = front_.at(i, j);
  double* left = left_at(f);
  for (int p = 0; p < Front<Number>::planes; ++p)
    for (int j = own; j < size; ++j) left = std::copy(front_.column(p, j) + own, front_.column(p, j) + size, left);
}

// ---- solutions

// L: converts a right-hand side by rows of the matrix to one by pivots.
template <class Number>
void FrontalLu<Number>::substitute_down(int f, Number* b) const {
  const FrontOrder::Front& front = order_->fronts[f];
  const int size = front.size, own = front.pivots;
  const int *const rows = order_->rows.data() + front.first, *const own_rows = rows_.data() + factors_[f].pivots;
  const Number* column = values_.data() + factors_[f].lower;
  Number* const x = lines_.data();
  for (int k = 0; k < own; ++k) x[k] = b[own_rows[k]];
  for (int k = own; k < size; ++k) x[k] = b[rows[k]];
  for (int k = 0; k < own; ++k, column += size) {
    const Factor<Number> times(x[k]);
    for (int i = k + 1; i < size; ++i) times.subtract(column[i], x[i]);
  }
  std::copy_n(x, own, pivots_.begin() + factors_[f].pivots);
  for (int k = own; k < size; ++k) b[rows[k]] = x[k];
}

// U: from the pivots to the columns of the matrix.
template <class Number>
void FrontalLu<Number>::substitute_up(int f, Number* x) const {
  const FrontOrder::Front& front = order_->fronts[f];
  const int size = front.size, own = front.pivots;
  const int *const columns = order_->columns.data() + front.first, *const own_columns =
                                                                       columns_.data() + factors_[f].pivots;
  const Number* column = values_.data() + factors_[f].upper;
  Number* const y = pivots_.data() + factors_[f].pivots;
  for (int k = own; k < size; ++k, column += own) {
    const Factor<Number> times(x[columns[k]]);
    for (int i = 0; i < own; ++i) times.subtract(column[i], y[i]);
  }
  for (int k = own - 1; k >= 0; --k) {
    const Number* const upper = values_.data() + factors_[f].lower + static_cast<std::size_t>(k) * size;
    y[k] = product(y[k], upper[k]);
    const Factor<Number> times(y[k]);
    for (int i = 0; i < k; ++i) times.subtract(upper[i], y[i]);
    x[own_columns[k]] = y[k];
  }
}

template <class Number>
void FrontalLu<Number>::solve(Number* x) const {
  int first = 0, outside = 0;
  for (const FrontOrder::Part& part : order_->parts) {
    for (int f = first; f < part.fronts; ++f) substitute_down(f, x);
    for (int f = part.fronts - 1; f >= first; --f) substitute_up(f, x_.data());
    for (; outside < part.outside; ++outside) {
      const auto& [position, row, column] = order_->outside[outside];
      x[row] -= product(outside_[outside], x_[column]);
    }
    first = part.fronts;
  }
  std::ranges::copy(x_, x);
}

// The same steps backwards: U^T from the columns to the pivots, L^T from there to the rows.
template <class Number>
void FrontalLu<Number>::solve_transposed(Number* x) const requires std::same_as<Number, double> {
  const auto down = [&](int f) {
    const FrontOrder::Front& front = order_->fronts[f];
    const int size = front.size, own = front.pivots;
    const int *const columns = order_->columns.data() + front.first, *const own_columns =
                                                                         columns_.data() + factors_[f].pivots;
    const double* const lower = values_.data() + factors_[f].lower;
    const double* column = values_.data() + factors_[f].upper;
    double* const y = pivots_.data() + factors_[f].pivots;
    for (int k = 0; k < own; ++k) {
      const double* const upper = lower + static_cast<std::size_t>(k) * size;
      double sum = x[own_columns[k]];
      for (int i = 0; i < k; ++i) sum -= upper[i] * y[i];
      y[k] = sum * upper[k];
    }
    for (int k = own; k < size; ++k, column += own)
      for (int i = 0; i < own; ++i) x[columns[k]] -= column[i] * y[i];
  };
  const auto up = [&](int f) {
    const FrontOrder::Front& front = order_->fronts[f];
    const int size = front.size, own = front.pivots;
    const int *const rows = order_->rows.data() + front.first, *const own_rows = rows_.data() + factors_[f].pivots;
    double* const y = pivots_.data() + factors_[f].pivots;
    for (int k = own - 1; k >= 0; --k) {
      const double* const column = values_.data() + factors_[f].lower + static_cast<std::size_t>(k) * size;
      for (int i = k + 1; i < own; ++i) y[k] -= column[i] * y[i];
      for (int i = own; i < size; ++i) y[k] -= column[i] * x_[rows[i]];
      x_[own_rows[k]] = y[k];
    }
  };
  for (int p = static_cast<int>(order_->parts.size()) - 1; p >= 0; --p) {
    const FrontOrder::Part before = p > 0 ? order_->parts[p - 1] : FrontOrder::Part{0, 0}, part = order_->parts[p];
    for (int e = before.outside; e < part.outside; ++e)
      x[order_->outside[e].column] -= outside_[e] * x_[order_->outside[e].row];
    for (int f = before.fronts; f < part.fronts; ++f) down(f);
    for (int f = part.fronts - 1; f >= before.fronts; --f) up(f);
  }
  std::ranges::copy(x_, x);
}

template class FrontalLu<double>;
template class FrontalLu<std::complex<double>>;

}  // namespace driftless::linear
