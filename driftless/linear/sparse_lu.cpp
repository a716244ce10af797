#include "driftless/linear/sparse_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "driftless/linear/number.hpp"

namespace driftless::linear {
namespace {

constexpr double singular = 1e-17;  // a pivot in units of the largest entry of its column

// Pivots are reused while their multipliers are small, like those of newly chosen pivots; otherwise while they solve a
// test system well, or hardly worse than when they were chosen.
constexpr double small_multiplier = 1e3;
constexpr double small_error = 1e-9, hardly_worse = 2.0;
constexpr double good_error = 1e-12;

// In large matrices small pivots are kept for the sake of sparsity as long as the result is good.
constexpr int large = 100;
constexpr double threshold = 0.1, threshold_if_large = 0.01;

}  // namespace

template <class Number>
SparseLu<Number>::SparseLu(const Pattern &pattern)
    : pattern_(pattern),
      places_(pattern.rows),
      scale_(pattern.size),
      column_(pattern.size),
      x_(pattern.size),
      residual_(pattern.size),
      residual_size_(pattern.size) {
  factorized_.reserve(pattern.rows.size());
}

template <class Number>
bool SparseLu<Number>::factorize(std::span<const Number> values) {
  assert(values.size() == pattern_.rows.size());
  if (pattern_.size == 0 || has_factors_of(values)) return true;
  factorized_.clear();
  if (!all_finite(values) || !find_scale(values)) return false;
  const auto with_new_pivots = [&] {
    const bool sparsely =
        pattern_.size > large && choose_pivots(values, threshold_if_large) && fresh_error_ <= good_error;
    return sparsely || choose_pivots(values, threshold);
  };
  if (!(order_ && reuse_pivots(values)) && !with_new_pivots()) return false;
  factorized_.assign(values.begin(), values.end());
  return true;
}

// Linear equations with constant coefficients have the same matrix at every point. Compared bit by bit, since equal
// numbers may be zeros of different sign.
template <class Number>
bool SparseLu<Number>::has_factors_of(std::span<const Number> values) const {
  return factorized_.size() == values.size() &&
         std::memcmp(factorized_.data(), values.data(), values.size_bytes()) == 0;
}

// Rows of a discretized system differ by powers of the step size.
template <class Number>
bool SparseLu<Number>::find_scale(std::span<const Number> values) {
  std::ranges::fill(scale_, 0.0);
  for (std::size_t e = 0; e < values.size(); ++e) {
    double &size = scale_[places_[e]];
    size = std::max(size, size_of(values[e]));
  }
  bool is_regular = true;
  for (double &scale : scale_) {
    is_regular &= scale > 0.0;
    scale = scale_to_one(scale);
  }
  return is_regular;
}

// ---- pivots

template <class Number>
bool SparseLu<Number>::choose_pivots(std::span<const Number> values, double smallest) {
  std::vector<Number> scaled(values.begin(), values.end());
  for (std::size_t e = 0; e < values.size(); ++e) scaled[e] *= scale_[places_[e]];
  ++choices_;
  std::optional<PivotOrder> order = linear::choose_pivots<Number>(pattern_, scaled, smallest);
  if (!order) return false;
  set_pivots(std::make_shared<const PivotOrder>(*std::move(order)));
  find_scale(values);
  if (!eliminate(values)) return false;
  fresh_error_ = error_of_trial(values);
  return true;
}

template <class Number>
void SparseLu<Number>::try_pivots(std::shared_ptr<const PivotOrder> order) {
  set_pivots(std::move(order));
  fresh_error_ = 0.0;
}

template <class Number>
void SparseLu<Number>::set_pivots(std::shared_ptr<const PivotOrder> order) {
  order_ = std::move(order);
  factorized_.clear();
  std::vector<int> place_of_row(pattern_.size);
  for (int k = 0; k < pattern_.size; ++k) place_of_row[order_->rows[k]] = k;
  for (std::size_t e = 0; e < places_.size(); ++e) places_[e] = place_of_row[pattern_.rows[e]];
  lower_.resize(order_->lower.rows.size());
  upper_.resize(order_->upper.rows.size());
  inverse_.resize(order_->sparse);
  const int rest = pattern_.size - order_->sparse;
  block_ = DenseLu<Number>(order_->fronts ? 0 : rest);
  fronts_ = order_->fronts ? FrontalLu<Number>(order_->fronts) : FrontalLu<Number>();
  rest_.resize(order_->rest.rows.size());
  rest_size_.resize(rest);
}

template <class Number>
bool SparseLu<Number>::reuse_pivots(std::span<const Number> values) {
  if (!eliminate(values)) return false;
  if (multiplier_ <= small_multiplier) return true;
  return error_of_trial(values) <= std::max(small_error, hardly_worse * fresh_error_);
}

// The backward error, row by row, of a test solution with the present factors; NaN if there is none.
template <class Number>
double SparseLu<Number>::error_of_trial(std::span<const Number> values) {
  const int n = pattern_.size;
  const auto right = [](int row) { return row % 2 == 0 ? 1.0 : -0.5; };
  for (int k = 0; k < n; ++k) {
    x_[k] = right(row(k)) * scale_[k];
    residual_[k] = x_[k];
    residual_size_[k] = size_of(residual_[k]);
  }
  solve();
  for (int k = 0; k < n; ++k)
    for (int e = pattern_.starts[column(k)]; e < pattern_.starts[column(k) + 1]; ++e) {
      const int place = places_[e];
      const Number term = product(values[e] * scale_[place], x_[k]);
      residual_[place] -= term;
      residual_size_[place] += size_of(term);
    }
  double worst = 0.0;
  for (int k = 0; k < n; ++k)
    if (const double error = size_of(residual_[k]) / residual_size_[k]; !(error <= worst)) worst = error;
  return worst;
}

// ---- elimination

template <class Number>
bool SparseLu<Number>::eliminate(std::span<const Number> values) {
  const PivotOrder &order = *order_;
  const int n = pattern_.size, sparse = order.sparse;
  const int *const starts = pattern_.starts.data(), *const places = places_.data();
  const int *const lower_starts = order.lower.starts.data(), *const lower_rows = order.lower.rows.data();
  const int *const upper_starts = order.upper.starts.data(), *const upper_rows = order.upper.rows.data();
  const double *const scale = scale_.data();
  Number *const lower = lower_.data(), *const upper = upper_.data(), *const x = column_.data();
  double ratio = 1.0, largest_multiplier = 0.0;
  for (int k = 0; k < n; ++k) {
    const int column = order.columns[k];
    double size = 0.0;
    for (int e = starts[column]; e < starts[column + 1]; ++e) {
      const Number value = values[e] * scale[places[e]];
      size = std::max(size, size_of(value));
      x[places[e]] = value;
    }
    for (int u = upper_starts[k]; u < upper_starts[k + 1]; ++u) {
      const int j = upper_rows[u];
      const Number factor = x[j];
      x[j] = 0.0;
      upper[u] = factor;
      if (factor == 0.0) continue;
      const Factor<Number> times(factor);
      for (int l = lower_starts[j]; l < lower_starts[j + 1]; ++l) times.subtract(lower[l], x[lower_rows[l]]);
    }
    if (k >= sparse) {
      set_rest(k, size);
      continue;
    }
    const double pivot = size_of(x[k]);
    const Number inverse = reciprocal(x[k]);
    inverse_[k] = inverse;
    x[k] = 0.0;
    if (!(pivot > singular * size && is_finite(pivot))) {
      std::ranges::fill(column_, Number(0.0));
      return false;
    }
    ratio = std::min(ratio, pivot / size);
    for (int l = lower_starts[k]; l < lower_starts[k + 1]; ++l) {
      const Number multiplier = product(x[lower_rows[l]], inverse);
      lower[l] = multiplier;
      x[lower_rows[l]] = 0.0;
      largest_multiplier = std::max(largest_multiplier, size_of(multiplier));
    }
  }
  multiplier_ = largest_multiplier;
  ratio_ = std::min(ratio, eliminate_rest());
  return ratio_ > singular;
}

// Stores the computed column k of the rest, and the size of column k of the matrix.
template <class Number>
void SparseLu<Number>::set_rest(int k, double size) {
  const int sparse = order_->sparse, column = k - sparse;
  Number *const x = column_.data() + sparse;
  rest_size_[column] = size;
  if (!order_->fronts) {
    block_.set_column(column, x);
    std::fill_n(x, pattern_.size - sparse, Number(0.0));
    return;
  }
  const Pattern &rest = order_->rest;
  for (int e = rest.starts[column]; e < rest.starts[column + 1]; ++e)
    rest_[e] = std::exchange(x[rest.rows[e]], Number(0.0));
}

template <class Number>
double SparseLu<Number>::eliminate_rest() {
  if (!order_->fronts) return block_.eliminate(rest_size_);
  const double ratio = fronts_.eliminate(rest_, rest_size_);
  multiplier_ = std::max(multiplier_, fronts_.largest_multiplier());
  return ratio;
}

template <class Number>
void SparseLu<Number>::solve() const {
  if (pattern_.size == 0) return;
  const PivotOrder &order = *order_;
  const int n = pattern_.size;
  const int *const lower_starts = order.lower.starts.data(), *const lower_rows = order.lower.rows.data();
  const int *const upper_starts = order.upper.starts.data(), *const upper_rows = order.upper.rows.data();
  const Number *const lower = lower_.data(), *const upper = upper_.data();
  Number *const x = x_.data();
  for (int k = 0; k < order.sparse; ++k) {
    const Number factor = x[k];
    if (factor == 0.0) continue;
    const Factor<Number> times(factor);
    for (int l = lower_starts[k]; l < lower_starts[k + 1]; ++l) times.subtract(lower[l], x[lower_rows[l]]);
  }
  if (order.fronts)
    fronts_.solve(x + order.sparse);
  else
    block_.solve(x + order.sparse);
  for (int k = n - 1; k >= 0; --k) {
    if (k < order.sparse) x[k] = product(x[k], inverse_[k]);
    const Number factor = x[k];
    if (factor == 0.0) continue;
    const Factor<Number> times(factor);
    for (int u = upper_starts[k]; u < upper_starts[k + 1]; ++u) times.subtract(upper[u], x[upper_rows[u]]);
  }
}

template <class Number>
void SparseLu<Number>::solve_transposed() const requires std::same_as<Number, double> {
  if (pattern_.size == 0) return;
  const PivotOrder &order = *order_;
  const int n = pattern_.size;
  double *const x = x_.data();
  for (int k = 0; k < n; ++k) {
    for (int u = order.upper.starts[k]; u < order.upper.starts[k + 1]; ++u) x[k] -= upper_[u] * x[order.upper.rows[u]];
    if (k < order.sparse) x[k] *= inverse_[k];
  }
  if (order.fronts)
    fronts_.solve_transposed(x + order.sparse);
  else
    block_.solve_transposed(x + order.sparse);
  for (int k = order.sparse - 1; k >= 0; --k)
    for (int l = order.lower.starts[k]; l < order.lower.starts[k + 1]; ++l) x[k] -= lower_[l] * x[order.lower.rows[l]];
}

template <class Number>
void SparseLu<Number>::archive(Archive &archive) {
  archive.expect(pattern_.size, "size of a matrix");
  std::shared_ptr<const PivotOrder> order = order_;
  archive_shared(archive, order);
  if (archive.is_reading()) {
    order_ = nullptr;
    if (order) set_pivots(std::move(order));
  }
  if (order_) archive(scale_, lower_, upper_, inverse_, block_, fronts_);
  archive(factorized_, ratio_, multiplier_, fresh_error_, choices_);
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace driftless::linear
