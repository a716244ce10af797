#include "driftless/interpolate/piecewise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace driftless {
namespace {

using Numbers = std::vector<double>;
constexpr Smoothness splines[] = {Smoothness::Akima, Smoothness::FritschButland, Smoothness::Steffen,
                                  Smoothness::ModifiedAkima};
constexpr Smoothness all_forms[] = {Smoothness::Linear,         Smoothness::Akima,   Smoothness::Constant,
                                    Smoothness::FritschButland, Smoothness::Steffen, Smoothness::ModifiedAkima};

const Numbers some_x = {-1, 0, 0.5, 2, 2.25, 4}, some_y = {3, -1, 0, 0, 7, 6};

double slope_at(const Polynomial& p, double x) {
  const double s = x - p.origin;
  return p.c[1] + s * (2 * p.c[2] + s * 3 * p.c[3]);
}

TEST(Interpolate, PassesThroughThePoints) {
  for (const Smoothness form : all_forms) {
    const Piecewise f = interpolate(some_x, some_y, form, Extrapolation::Hold);
    for (std::size_t k = 0; k < some_x.size(); ++k) EXPECT_NEAR(f(some_x[k]), some_y[k], 1e-13);
  }
}

TEST(Interpolate, LinearIsTheChord) {
  const Piecewise f = interpolate(some_x, some_y, Smoothness::Linear, Extrapolation::LastSlope);
  EXPECT_NEAR(f(1.25), 0, 1e-15);
  EXPECT_NEAR(f(2.125), 3.5, 1e-15);
  EXPECT_NEAR(f(-2), 7, 1e-15) << "continued to the left";
  EXPECT_NEAR(f(4 + 1.75), 5, 1e-14) << "continued to the right";
  EXPECT_EQ(f.breaks.size(), 4U) << "nothing breaks where a line goes on";
}

TEST(Interpolate, ConstantHoldsThePreviousValue) {
  const Piecewise f = interpolate(some_x, some_y, Smoothness::Constant, Extrapolation::LastSlope);
  EXPECT_EQ(f(-5), 3);
  EXPECT_EQ(f(-0.001), 3);
  EXPECT_EQ(f(0), -1);
  EXPECT_EQ(f(3.999), 7);
  EXPECT_EQ(f(4), 6);
}

TEST(Interpolate, SplinesHaveContinuousSlopes) {
  for (const Smoothness form : splines)
    for (const Extrapolation beyond : {Extrapolation::LastSlope, Extrapolation::Periodic}) {
      const Piecewise f = interpolate(some_x, some_y, form, beyond);
      for (std::size_t k = 0; k < f.breaks.size(); ++k)
        EXPECT_NEAR(slope_at(f.pieces[k], f.breaks[k]), slope_at(f.pieces[k + 1], f.breaks[k]), 1e-10);
    }
}

TEST(Interpolate, AkimaReproducesParabolas) {
  const auto p = [](double x) { return 2 - x + 3 * x * x; };
  Numbers x, y;
  for (int k = 0; k < 8; ++k) x.push_back(k), y.push_back(p(k));
  const Piecewise f = interpolate(x, y, Smoothness::Akima, Extrapolation::Hold);
  for (double at = 0; at <= 7; at += 0.125) EXPECT_NEAR(f(at), p(at), 1e-12);
}

TEST(Interpolate, SplinesReproduceLines) {
  const Numbers x = {0, 1, 3, 4, 8}, y = {1, 3, 7, 9, 17};
  for (const Smoothness form : splines) {
    const Piecewise f = interpolate(x, y, form, Extrapolation::LastSlope);
    for (double at = -2; at <= 10; at += 0.25) EXPECT_NEAR(f(at), 1 + 2 * at, 1e-12);
  }
}

TEST(Interpolate, MonotoneSplinesDoNotOvershoot) {
  const Numbers x = {0, 1, 2, 3, 4, 5, 6}, y = {0, 0, 0.1, 5, 5.2, 9, 9};
  for (const Smoothness form : {Smoothness::FritschButland, Smoothness::Steffen}) {
    const Piecewise f = interpolate(x, y, form, Extrapolation::Hold);
    double before = f(0);
    for (int k = 1; k <= 6000; ++k) {
      const double value = f(k / 1000.0);
      EXPECT_GE(value, before - 1e-14);
      before = value;
    }
  }
}

TEST(Interpolate, EqualNeighboursAreAJump) {
  const Piecewise f = interpolate(Numbers{0, 1, 1, 2}, Numbers{0, 1, 5, 6}, Smoothness::Linear, Extrapolation::Hold);
  EXPECT_NEAR(f(1 - 1e-9), 1, 1e-8);
  EXPECT_EQ(f(1), 5);
  EXPECT_EQ(f(3), 6);
}

TEST(Interpolate, OnePointIsAConstant) {
  const Piecewise f = interpolate(Numbers{2}, Numbers{7}, Smoothness::Linear, Extrapolation::LastSlope);
  EXPECT_TRUE(f.breaks.empty());
  EXPECT_EQ(f(-100), 7);
}

}  // namespace
}  // namespace driftless
