#include "driftless/integrate/steppers/hermite_polynomial.hpp"

namespace driftless {
namespace {

// Newton's divided differences for nodes that come in equal pairs: values and slopes become the coefficients of
// 1, (s - s_0), (s - s_0)², (s - s_0)² (s - s_1), ...
std::vector<double> divided_differences(const std::vector<double>& nodes, const std::vector<double>& values,
                                        const std::vector<double>& slopes) {
  std::vector<double> table = values;
  const int n = static_cast<int>(nodes.size());
  for (int order = 1; order < n; ++order)
    for (int i = n - 1; i >= order; --i) {
      const bool pair = order == 1 && i % 2 == 1;
      table[i] = pair ? slopes[i] : (table[i] - table[i - 1]) / (nodes[i] - nodes[i - order]);
    }
  return table;
}

// Multiplied out in powers of s, from the innermost factor.
std::vector<double> powers_of(const std::vector<double>& nodes, const std::vector<double>& differences) {
  const int n = static_cast<int>(nodes.size());
  std::vector<double> powers(n, 0.0);
  for (int k = n - 1; k >= 0; --k) {
    for (int i = n - 1; i > 0; --i) powers[i] = powers[i - 1] - nodes[k] * powers[i];
    powers[0] = differences[k] - nodes[k] * powers[0];
  }
  return powers;
}

}  // namespace

void HermitePolynomial::set(const std::vector<End>& points, const std::vector<int>& sloped) {
  const End &first = points.front(), &last = points.back();
  const std::size_t n = last.y.size(), count = 2 * points.size();
  const double h = last.t - first.t;
  segment_ = {first.t, last.t, static_cast<int>(count) - 1, std::vector<double>(count * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    segment_.coefficients[i] = last.y[i];
    segment_.coefficients[n + i] = last.y[i] - first.y[i];
  }
  std::vector<double> nodes(count), values(count), slopes(count);
  for (const int slot : sloped) {
    for (std::size_t k = 0; k < count; ++k) {
      const End& point = points[k / 2];
      nodes[k] = (point.t - last.t) / h;
      values[k] = point.y[slot];
      slopes[k] = h * point.yp[slot];
    }
    const std::vector<double> powers = powers_of(nodes, divided_differences(nodes, values, slopes));
    for (std::size_t k = 0; k < count; ++k) segment_.coefficients[k * n + slot] = powers[k];
    segment_.coefficients[slot] = last.y[slot];
  }
}

void HermitePolynomial::evaluate(double t, std::span<double> y, std::span<double> yp) const {
  const std::size_t n = y.size();
  const double h = segment_.end - segment_.begin, s = (t - segment_.end) / h;
  for (std::size_t i = 0; i < n; ++i) {  // Horner's scheme for the polynomial and its derivative
    double p = 0.0, dp = 0.0;
    for (int k = segment_.order; k >= 0; --k) {
      dp = dp * s + p;
      p = p * s + segment_.coefficients[k * n + i];
    }
    y[i] = p;
    yp[i] = dp / h;
  }
}

}  // namespace driftless
