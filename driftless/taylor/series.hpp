// Taylor series of many functions about one point, x_j(t) = sum_n at(n)[j] τ^n with τ = (t - begin) / unit.
#pragma once

#include <cstddef>

#include "driftless/archive/archive.hpp"
#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

template <class Scalar>
struct Series {
  double begin = 0.0;
  double unit = 1.0;  // a power of two
  int width = 0;      // functions, filled up to a multiple of `lanes`
  int rows = 0;       // the highest order plus one
  Numbers<Scalar> coefficients;

  Series() = default;
  Series(int functions, int number_of_rows)
      : width(whole_vectors(functions)),
        rows(number_of_rows),
        coefficients(static_cast<std::size_t>(width) * rows, Scalar(0)) {}

  Scalar* at(int n) { return coefficients.data() + static_cast<std::ptrdiff_t>(n) * width; }
  const Scalar* at(int n) const { return coefficients.data() + static_cast<std::ptrdiff_t>(n) * width; }

  void archive(Archive& archive) {  // reads into one of the same size
    archive.expect(coefficients.size(), "number of coefficients");
    archive(begin, unit, coefficients);
  }
};

// The first `orders` coefficients about the point τ, in the same unit: result.at(m) = sum_n binomial(n, m) x_n τ^(n-m).
void shift(const Series<double>& series, double tau, int orders, Series<double>& result);

template <class Scalar>
void shift(const Series<Scalar>& series, Scalar tau, int orders, Series<Scalar>& result) {
  for (int m = 0; m < orders; ++m)
    for (int j = 0; j < series.width; ++j) result.at(m)[j] = Scalar(0);
  for (int n = series.rows - 1; n >= 0; --n)  // Horner's scheme, for all derivatives at once
    for (int j = 0; j < series.width; ++j) {
      for (int m = orders - 1; m > 0; --m) result.at(m)[j] = result.at(m)[j] * tau + result.at(m - 1)[j];
      result.at(0)[j] = result.at(0)[j] * tau + series.at(n)[j];
    }
}

// max_j |row_j| factors_j over a row of a series; NaN or infinite if one of them is.
double largest_product(const double* row, const double* factors, int width);

template <class Scalar>
double largest_product(const Scalar* row, const double* factors, int width) {
  double largest = 0.0;
  for (int j = 0; j < width; ++j) {
    const double product = static_cast<double>(row[j] < Scalar(0) ? -row[j] : row[j]) * factors[j];
    if (!(product <= largest)) largest = product;
  }
  return largest;
}

// The derivative of the given order of one function at τ, with respect to τ.
template <class Scalar>
Scalar derivative(const Series<Scalar>& series, int function, int order, Scalar tau) {
  Scalar sum(0);
  for (int n = series.rows - 1; n >= order; --n) {
    Scalar factor(1);
    for (int i = 0; i < order; ++i) factor *= Scalar(n - i);
    sum = sum * tau + factor * series.at(n)[function];
  }
  return sum;
}

}  // namespace driftless::taylor
