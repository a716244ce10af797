#include "driftless/integrate/crossings/interpolant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {

constexpr int highest = Interpolant::highest_degree;
using Matrix = std::array<std::array<double, highest + 1>, highest + 1>;

// cos(j pi/16), so that the points of all degrees are the same numbers.
double cosine(int j) {
  static const auto table = [] {
    std::array<double, 2 * highest> values;
    for (int i = 0; i < 2 * highest; ++i) values[i] = std::cos(std::numbers::pi * i / highest);
    values[highest / 2] = values[3 * highest / 2] = 0.0;
    return values;
  }();
  return table[j % (2 * highest)];
}

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

// Row k: T_k in the Bernstein basis of this degree. T_k has the coefficients (-1)^(k-i) C(2k, 2i)/C(k, i) in that of
// degree k, which are then raised degree by degree.
Matrix bernstein_of_chebyshev(int degree) {
  Matrix rows = {};
  for (int k = 0; k <= degree; ++k) {
    auto& row = rows[k];
    for (int i = 0; i <= k; ++i) row[i] = ((k - i) % 2 == 0 ? 1.0 : -1.0) * binomial(2 * k, 2 * i) / binomial(k, i);
    for (int n = k + 1; n <= degree; ++n) {
      row[n] = row[n - 1];
      for (int i = n - 1; i > 0; --i) row[i] += (row[i - 1] - row[i]) * i / n;
    }
  }
  return rows;
}

// Row j: the contribution of the value at point j to all coefficients, without their factors.
Matrix cosines(int degree) {
  Matrix rows = {};
  const int stride = highest / degree;
  for (int j = 1; j < degree; ++j)
    for (int k = 0; k <= degree; ++k) rows[j][k] = cosine(j * k * stride);
  return rows;
}

// Sums over the points of each coefficient, in the order of the points, for all coefficients at once.
template <int degree>
void transform(std::span<const double> values, double* c) {
  static const Matrix rows = cosines(degree);
  for (int k = 0; k <= degree; ++k) c[k] = 0.5 * (values[0] + (k % 2 == 0 ? 1.0 : -1.0) * values[degree]);
  for (int j = 1; j < degree; ++j)
    for (int k = 0; k <= degree; ++k) c[k] += values[j] * rows[j][k];
  for (int k = 0; k <= degree; ++k) c[k] = (k == 0 || k == degree ? 1.0 : 2.0) * c[k] / degree;
}

template <int degree>
void to_bernstein(const double* c, double* bernstein) {
  static const Matrix rows = bernstein_of_chebyshev(degree);
  for (int i = 0; i <= degree; ++i) bernstein[i] = 0.0;
  for (int k = degree; k >= 0; --k)
    for (int i = 0; i <= degree; ++i) bernstein[i] += c[k] * rows[k][i];
  for (int i = 0; i < degree; ++i) bernstein[i] = 0.5 * degree * (bernstein[i + 1] - bernstein[i]);
}

}  // namespace

double Interpolant::point(int j, int degree) { return cosine(j * (highest / degree)); }

void Interpolant::take(std::span<const double> values, int degree) {
  degree_ = degree;
  if (degree == 4)
    transform<4>(values, c_.data());
  else if (degree == 8)
    transform<8>(values, c_.data());
  else
    transform<16>(values, c_.data());
}

double Interpolant::tail() const {
  const int count = degree_ / 4;
  double largest = 0.0;
  for (int k = degree_ - count; k <= degree_; ++k) largest = std::fmax(largest, std::abs(c_[k]));
  return largest;
}

double Interpolant::deviation() const {
  double sum = 0.0;
  for (int k = 1; k <= degree_; ++k) sum += std::abs(c_[k]);
  return sum;
}

double Interpolant::size() const { return std::abs(c_[0]) + deviation(); }

double Interpolant::slope(int end) const {
  double sum = 0.0;
  for (int k = 1; k <= degree_; ++k) sum += (end > 0 || k % 2 == 1 ? 1.0 : -1.0) * k * k * c_[k];
  return sum;
}

double Interpolant::operator()(double x) const {  // Clenshaw's recurrence
  double b1 = 0.0, b2 = 0.0;
  for (int k = degree_; k > 0; --k) {
    const double b = c_[k] + 2.0 * x * b1 - b2;
    b2 = b1, b1 = b;
  }
  return c_[0] + x * b1 - b2;
}

std::span<const double> Interpolant::derivative() {
  if (degree_ == 4)
    to_bernstein<4>(c_.data(), bernstein_.data());
  else if (degree_ == 8)
    to_bernstein<8>(c_.data(), bernstein_.data());
  else
    to_bernstein<16>(c_.data(), bernstein_.data());
  return {bernstein_.data(), static_cast<std::size_t>(degree_)};
}

}  // namespace driftless
