#include "driftless/taylor/convolution.hpp"

#include <vector>

#include "driftless/taylor/series.hpp"

namespace driftless::taylor {
namespace {

// Small integers, so that every order of summation gives the same bits.
TEST(Convolution, SumsProductsOfOppositeRows) {
  constexpr int stride = 64, width = 60, rows = 9;  // groups of eight, four, two vectors and one
  std::vector<double> left(stride * rows), right(stride * rows);
  for (std::size_t k = 0; k < left.size(); ++k)
    left[k] = static_cast<double>(k % 17) - 8.0, right[k] = static_cast<double>(k % 13) - 6.0;
  for (int terms = 0; terms <= rows; ++terms) {
    std::vector<double> sums(width, -1.0);
    const double* last = right.data() + std::max(terms - 1, 0) * stride;
    const Strip<double> strip{left.data(), last, sums.data(), terms, width};
    convolve(std::span(&strip, 1), stride);
    for (int l = 0; l < width; ++l) {
      double expected = 0.0;
      for (int i = 0; i < terms; ++i) expected += left[i * stride + l] * right[(terms - 1 - i) * stride + l];
      EXPECT_EQ(sums[l], expected) << terms << " terms, lane " << l;
    }
  }
}

TEST(Multiply, AddsColumnsBetweenTwoScales) {
  for (const int columns : {1, 2, 5}) {
    constexpr int height = 28;  // four vectors, two and one
    std::vector<double> matrix, x, left, right, result(height, -1.0);
    for (int k = 0; k < columns * height; ++k) matrix.push_back(k % 11 - 5.0);
    for (int j = 0; j < columns; ++j) x.push_back(j - 2.0), left.push_back(j + 1.0);
    for (int i = 0; i < height; ++i) right.push_back(3.0 - i);
    multiply(matrix.data(), columns, height, {left.data(), right.data()}, x.data(), result.data());
    for (int i = 0; i < height; ++i) {
      double expected = 0.0;
      for (int j = 0; j < columns; ++j) expected += right[i] * matrix[j * height + i] * left[j] * x[j];
      EXPECT_EQ(result[i], expected);
    }
  }
}

// (1 + τ)^6 about τ = 2: binomial(6, m) 3^(6-m); once with few orders, which stay in registers, once with all.
TEST(Series, ShiftsToAnotherPoint) {
  constexpr double binomial[] = {1, 6, 15, 20, 15, 6, 1};
  Series<double> series(3, 7), result(3, 7);
  for (int n = 0; n <= 6; ++n)
    for (int j = 0; j < 3; ++j) series.at(n)[j] = binomial[n] * (j + 1);
  for (const int orders : {3, 7}) {
    shift(series, 2.0, orders, result);
    double power = 729.0;
    for (int m = 0; m < orders; ++m, power /= 3.0)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(result.at(m)[j], binomial[m] * power * (j + 1)) << m;
  }
}

TEST(Series, HasDerivatives) {
  Series<double> series(1, 5);
  for (int n = 0; n < 5; ++n) series.at(n)[0] = n + 1.0;  // 1 + 2τ + 3τ² + 4τ³ + 5τ⁴
  EXPECT_EQ(derivative(series, 0, 0, 2.0), 129.0);
  EXPECT_EQ(derivative(series, 0, 2, 2.0), 6.0 + 24.0 * 2.0 + 60.0 * 4.0);
}

}  // namespace
}  // namespace driftless::taylor
