#include "driftless/taylor/series.hpp"

#include <algorithm>

namespace driftless::taylor {
namespace {

// Value, first and second derivative: the usual case, computed in registers.
DRIFTLESS_VECTOR_CLONES
void shift_three(const Series<double>& series, double tau, Series<double>& result) {
  for (int l = 0; l < series.width; l += lanes) {
    Vector value{}, first{}, second{};
    const double* row = series.at(series.rows - 1) + l;
    for (int n = series.rows - 1; n >= 0; --n, row -= series.width) {
      second = second * tau + first;
      first = first * tau + value;
      value = value * tau + vector_at(row);
    }
    vector_at(result.at(0) + l) = value;
    vector_at(result.at(1) + l) = first;
    vector_at(result.at(2) + l) = second;
  }
}

}  // namespace

DRIFTLESS_VECTOR_CLONES
double largest_product(const double* row, const double* factors, int width) {
  Vector largest{}, sum{};
  for (int l = 0; l < width; l += lanes) {
    const Vector product = vector_at(row + l) * vector_at(factors + l);
    const Vector size = product < 0.0 ? -product : product;
    largest = largest < size ? size : largest;
    sum += size;  // keeps NaN, which comparisons drop
  }
  const double all = sum[0] + sum[1] + sum[2] + sum[3];
  return all - all == 0.0 ? std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3])) : all;
}

DRIFTLESS_VECTOR_CLONES
void shift(const Series<double>& series, double tau, int orders, Series<double>& result) {
  if (orders <= 3 && result.rows >= 3) return shift_three(series, tau, result);
  for (int l = 0; l < series.width; l += lanes) {
    for (int m = 0; m < orders; ++m) vector_at(result.at(m) + l) = Vector{};
    for (int n = series.rows - 1; n >= 0; --n) {
      for (int m = orders - 1; m > 0; --m) {
        Vector& to = vector_at(result.at(m) + l);
        to = to * tau + vector_at(result.at(m - 1) + l);
      }
      Vector& value = vector_at(result.at(0) + l);
      value = value * tau + vector_at(series.at(n) + l);
    }
  }
}

}  // namespace driftless::taylor
