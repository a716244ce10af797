#include "driftless/integrate/steppers/hermite_polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

// (t - 0.3)^degree and a second slot that has no slope.
struct Sample {
  double t;
  std::vector<double> y, yp;
};
Sample power(double t, int degree) {
  return {t, {std::pow(t - 0.3, degree), 5.0 * t}, {degree * std::pow(t - 0.3, degree - 1), 0.0}};
}

class Through : public testing::TestWithParam<int> {};

TEST_P(Through, PointsWithSlopesIsExactForPolynomials) {
  const int count = GetParam(), degree = 2 * count - 1;
  std::vector<Sample> samples;
  for (int k = 0; k < count; ++k) samples.push_back(power(1.0 + 0.5 * k / (count - 1), degree));
  std::vector<HermitePolynomial::End> points;
  for (const Sample& s : samples) points.push_back({s.t, s.y, s.yp});
  HermitePolynomial polynomial;
  polynomial.set(points, {0});
  Segment segment;
  polynomial.store(segment);
  EXPECT_EQ(segment.order, degree);
  std::vector<double> y(2), yp(2), stored(2), stored_slope(2);
  for (double t = 1.0; t <= 1.5; t += 0.0625) {
    polynomial.evaluate(t, y, yp);
    evaluate(segment, t, stored, stored_slope);
    const Sample exact = power(t, degree);
    EXPECT_NEAR(y[0], exact.y[0], 1e-11) << t;
    EXPECT_NEAR(yp[0], exact.yp[0], 1e-9) << t;
    EXPECT_NEAR(y[1], 5.0 * t, 1e-13) << "on the chord";
    EXPECT_EQ(stored, y);
    EXPECT_EQ(stored_slope, yp);
  }
}

INSTANTIATE_TEST_SUITE_P(HermitePolynomial, Through, testing::Values(2, 3, 5, 8));

// One degree more is not exact: of order 2 m in the length of the step.
TEST(HermitePolynomial, HasTheOrderOfItsPoints) {
  std::vector<double> errors;
  for (const double h : {0.4, 0.2}) {
    std::vector<Sample> samples;
    for (int k = 0; k < 3; ++k) {
      const double t = h * k / 2;
      samples.push_back({t, {std::exp(t)}, {std::exp(t)}});
    }
    std::vector<HermitePolynomial::End> points;
    for (const Sample& s : samples) points.push_back({s.t, s.y, s.yp});
    HermitePolynomial polynomial;
    polynomial.set(points, {0});
    std::vector<double> y(1), yp(1);
    polynomial.evaluate(0.25 * h, y, yp);
    errors.push_back(std::abs(y[0] - std::exp(0.25 * h)));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 6.0, 0.2);
}

}  // namespace
}  // namespace driftless
