#include "driftless/linear/condition.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::linear {
namespace {

double one_norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += std::abs(v);
  return sum;
}

void multiply(std::span<const double> scale, std::vector<double>& x) {
  for (std::size_t i = 0; i < scale.size(); ++i) x[i] *= scale[i];
}

}  // namespace

double InverseNorm::operator()(const Factorization& factorization, std::span<const double> rows,
                               std::span<const double> columns) {
  const int size = static_cast<int>(x_.size());
  if (size == 0) return 0.0;
  const auto inverse = [&](std::vector<double>& x) {
    multiply(rows, x);
    factorization.solve(x);
    multiply(columns, x);
  };
  const auto inverse_transposed = [&](std::vector<double>& x) {
    multiply(columns, x);
    factorization.solve_transposed(x);
    multiply(rows, x);
  };
  std::ranges::fill(x_, 1.0 / size);
  double estimate = 0.0;
  for (int iteration = 0; iteration < 5; ++iteration) {
    y_ = x_;
    inverse(y_);
    const double now = one_norm(y_);
    if (iteration > 0 && now <= estimate) break;
    estimate = now;
    z_ = y_;
    for (double& v : z_) v = v >= 0.0 ? 1.0 : -1.0;
    inverse_transposed(z_);
    const auto largest = std::ranges::max_element(z_, {}, [](double v) { return std::abs(v); });
    double reached = 0.0;
    for (int i = 0; i < size; ++i) reached += z_[i] * x_[i];
    if (iteration > 0 && std::abs(*largest) <= reached) break;
    std::ranges::fill(x_, 0.0);
    x_[largest - z_.begin()] = 1.0;
  }
  // If cancellation hides the norm from the iteration, this vector of alternating signs reveals it (Higham 1988).
  for (int i = 0; i < size; ++i) x_[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + i / std::max(1.0, size - 1.0));
  inverse(x_);
  return std::max(estimate, 2.0 * one_norm(x_) / (3.0 * size));
}

double norm(const Pattern& pattern, std::span<const double> values, std::span<const double> rows,
            std::span<const double> columns) {
  double largest = 0.0;
  for (int j = 0; j < pattern.size; ++j) {
    double sum = 0.0;
    for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k)
      sum += std::abs(values[k]) / (rows.empty() ? 1.0 : rows[pattern.rows[k]]);
    largest = std::max(largest, sum / (columns.empty() ? 1.0 : columns[j]));
  }
  return largest;
}

}  // namespace driftless::linear
