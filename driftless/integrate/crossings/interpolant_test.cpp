#include "driftless/integrate/crossings/interpolant.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/integrate/crossings/roots.hpp"

namespace driftless {
namespace {

template <class F>
Interpolant of(F f, int degree) {
  std::vector<double> values;
  for (int j = 0; j <= degree; ++j) values.push_back(f(Interpolant::point(j, degree)));
  Interpolant p;
  p.take(values, degree);
  return p;
}

TEST(Interpolant, IsExactForPolynomials) {
  const auto f = [](double x) { return 1.0 + x * (2.0 - x * (3.0 - x * (0.5 + 4.0 * x))); };
  for (const int degree : {4, 8, 16}) {
    const Interpolant p = of(f, degree);
    for (const double x : {-1.0, -0.77, 0.0, 0.1, 0.5, 1.0}) EXPECT_NEAR(p(x), f(x), 1e-14) << degree;
    EXPECT_NEAR(p.slope(1), 2.0 - 6.0 + 1.5 + 16.0, 1e-12);
    EXPECT_NEAR(p.slope(-1), 2.0 + 6.0 + 1.5 - 16.0, 1e-12);
    if (degree > 4) {
      EXPECT_LT(p.tail(), 1e-15);
    }
  }
}

TEST(Interpolant, TellsItsErrorByItsTail) {
  const auto wave = [](double x) { return std::sin(3.0 * x + 0.5); };
  for (const int degree : {4, 8, 16}) {
    const Interpolant p = of(wave, degree);
    double error = 0.0;
    for (int i = 0; i <= 100; ++i) error = std::fmax(error, std::abs(p(-1.0 + 0.02 * i) - wave(-1.0 + 0.02 * i)));
    EXPECT_LT(error, 4.0 * p.tail()) << degree;
    EXPECT_LT(std::abs(p(0.3)), p.size());
  }
  // The coefficients of sin(3x + s) are 2 J_k(3) cos s or 2 J_k(3) sin s.
  EXPECT_NEAR(of(wave, 16).tail(), 2.0 * std::cyl_bessel_j(12, 3.0) * std::sin(0.5), 1e-14);
  EXPECT_GT(of([](double x) { return std::sin(60.0 * x + 0.5); }, 16).tail(), 1e-2);
}

TEST(Interpolant, HasADerivativeInTheBernsteinBasis) {
  const auto wave = [](double x) { return std::sin(3.0 * x + 0.5); };
  Interpolant p = of(wave, 16);
  const auto derivative = p.derivative();
  std::vector<double> work(derivative.size());
  for (const double x : {0.0, 0.2, 0.5, 0.9, 1.0})
    EXPECT_NEAR(bernstein_value(derivative, x, work), 3.0 * std::cos(3.0 * (2.0 * x - 1.0) + 0.5), 1e-9);
}

}  // namespace
}  // namespace driftless
