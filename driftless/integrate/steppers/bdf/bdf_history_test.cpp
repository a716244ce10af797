// The differences reproduce polynomials for any steps, and adapt to a moved point.
#include "driftless/integrate/steppers/bdf/bdf_history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace driftless {
namespace {

// (t - 0.3)^k for component k, and its slope.
std::vector<double> powers(double t) {
  std::vector<double> values;
  for (int k = 0; k <= BdfHistory::highest_order; ++k) values.push_back(std::pow(t - 0.3, k));
  return values;
}
std::vector<double> slopes(double t) {
  std::vector<double> values{0.0};
  for (int k = 1; k <= BdfHistory::highest_order; ++k) values.push_back(k * std::pow(t - 0.3, k - 1));
  return values;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = a[i] - b[i];
  return d;
}

struct Walk {
  BdfHistory history;
  double t = 0.0;
  std::vector<double> y = powers(0.0), yp = slopes(0.0);

  Walk() { history.start(y, yp, 0.1); }
  void step(double h, int order) {
    history.prepare(h, order);
    history.predict(y, yp);
    history.accept(difference(powers(t + h), y));
    t += h;
  }
};

TEST(BdfHistory, PredictsPolynomialsOfItsOrderAfterAnySteps) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> size(0.05, 0.2);
  Walk walk;
  for (int k = 1; k <= 5; ++k) walk.step(size(random), k);
  walk.step(size(random), 5);
  for (int n = 0; n < 40; ++n) {
    const int order = 5 - n % 4;
    const double h = size(random);
    walk.history.prepare(h, order);
    walk.history.predict(walk.y, walk.yp);
    const std::vector<double> exact = powers(walk.t + h), exact_slope = slopes(walk.t + h);
    for (int k = 0; k <= order; ++k) {
      EXPECT_NEAR(walk.y[k], exact[k], 1e-12 * (1.0 + std::abs(exact[k]))) << "step " << n << ", power " << k;
      EXPECT_NEAR(walk.yp[k], exact_slope[k], 1e-11 * (1.0 + std::abs(exact_slope[k])));
    }
    walk.step(h, 5);  // all differences stay known
  }
}

TEST(BdfHistory, InterpolatesWithinTheStep) {
  Walk walk;
  for (int k = 1; k <= 5; ++k) walk.step(0.1 + 0.01 * k, k);
  for (int n = 0; n < 3; ++n) walk.step(0.13 - 0.02 * n, 5);
  std::vector<double> taylor(6 * 6);
  const double h = 0.09;
  walk.history.taylor(h, taylor);
  for (const double s : {-0.09, -0.05, -0.01, 0.0}) {
    walk.history.interpolate(s, walk.y, walk.yp);
    const std::vector<double> exact = powers(walk.t + s), exact_slope = slopes(walk.t + s);
    for (int k = 0; k <= 5; ++k) {
      EXPECT_NEAR(walk.y[k], exact[k], 1e-13);
      EXPECT_NEAR(walk.yp[k], exact_slope[k], 1e-12);
      double sum = 0.0;
      for (int m = 5; m >= 0; --m) sum = sum * (s / h) + taylor[m * 6 + k];
      EXPECT_NEAR(sum, exact[k], 1e-13);
    }
  }
}

// The correction of a step at order k is h^(k+1) y^(k+1) with equal steps, and the estimates for the other orders are
// those of their own corrections.
TEST(BdfHistory, EstimatesTheErrorsOfAllOrders) {
  const double h = 0.01;
  for (int order = 1; order <= 4; ++order) {
    std::vector<std::vector<double>> past;
    for (int j = 0; j <= order + 1; ++j) past.push_back({std::exp(-h * j)});
    BdfHistory history;
    history.start(past, h);
    history.prepare(h, order);
    std::vector<double> y(1), yp(1);
    history.predict(y, yp);
    const std::vector<double> e{std::exp(h) - y[0]}, weight{1.0};
    const BdfHistory::Errors errors = history.errors(e, weight);
    EXPECT_NEAR(errors.accepted / (std::pow(h, order + 1) / (order + 1)), 1.0, 0.04) << order;
    EXPECT_NEAR(errors.same / (std::pow(h, order + 1) / (order + 1)), 1.0, 0.04);
    EXPECT_NEAR(errors.higher / (std::pow(h, order + 2) / (order + 2)), 1.0, 0.04);
    if (order > 1) {
      EXPECT_NEAR(errors.lower / (std::pow(h, order) / order), 1.0, 0.04);
    }
    if (order > 2) {
      EXPECT_NEAR(errors.twice_lower / (std::pow(h, order - 1) / (order - 1)), 1.0, 0.04);
    }
    if (order == 1) {
      EXPECT_EQ(errors.lower, HUGE_VAL);
    }
  }
}

// With steps that are not small the terms compared differ in size by little, and each counts: the error of order j is
// the backward difference of order j + 1 at the new point over j + 1, and differences of exp are known exactly,
// (1 - exp(-h))^(j+1) exp(h).
TEST(BdfHistory, EstimatesAreTheBackwardDifferencesAtTheNewPoint) {
  const double h = 0.5;
  const auto expected = [&](int j) { return std::exp(h) * std::pow(1.0 - std::exp(-h), j + 1) / (j + 1); };
  for (int order = 1; order <= 4; ++order) {
    std::vector<std::vector<double>> past;
    for (int j = 0; j <= order + 1; ++j) past.push_back({std::exp(-h * j)});
    BdfHistory history;
    history.start(past, h);
    history.prepare(h, order);
    std::vector<double> y(1), yp(1);
    history.predict(y, yp);
    const std::vector<double> e{std::exp(h) - y[0]}, weight{1.0};
    const BdfHistory::Errors errors = history.errors(e, weight);
    EXPECT_NEAR(errors.same, expected(order), 1e-14) << order;
    EXPECT_NEAR(errors.higher, expected(order + 1), 1e-14) << order;
    if (order > 1) {
      EXPECT_NEAR(errors.lower, expected(order - 1), 1e-14) << order;
    }
    if (order > 2) {
      EXPECT_NEAR(errors.twice_lower, expected(order - 2), 1e-14) << order;
    }
  }
}

// Through a linear map, here to the sum of two components.
TEST(BdfHistory, EstimatesTheErrorsOfAnImage) {
  const double h = 0.01;
  std::vector<std::vector<double>> past, sums;
  for (int j = 0; j <= 4; ++j)
    past.push_back({std::exp(-h * j), std::sin(-h * j)}), sums.push_back({past[j][0] + past[j][1]});
  BdfHistory two, one;
  two.start(past, h), one.start(sums, h);
  two.prepare(h, 3), one.prepare(h, 3);
  const std::vector<double> e{1e-6, 3e-6}, e_sum{4e-6}, weights{1.0, 0.0}, weight{1.0};
  const auto image = two.errors_of_image(e, weights, [](auto x, auto out) { out[0] = x[0] + x[1], out[1] = 0.0; });
  const auto expected = one.errors(e_sum, weight);
  const double mean = std::sqrt(2.0);  // over two components, one of which is zero
  EXPECT_NEAR(mean * image.same, expected.same, 1e-15);
  EXPECT_NEAR(mean * image.lower, expected.lower, 1e-12);
  EXPECT_NEAR(mean * image.twice_lower, expected.twice_lower, 1e-12);
  EXPECT_NEAR(mean * image.higher, expected.higher, 1e-15);
}

// A moved point gives the differences of the moved values.
TEST(BdfHistory, FollowsAPointThatIsMoved) {
  const double h = 0.1;
  std::vector<std::vector<double>> past;
  for (int j = 0; j <= 5; ++j) past.push_back({std::sin(1.0 - h * j), std::cos(1.0 - h * j)});
  BdfHistory moved, fresh;
  moved.start(past, h);
  const std::vector<double> d{1e-3, -2e-3};
  moved.move(d);
  past[0][0] += d[0], past[0][1] += d[1];
  fresh.start(past, h);
  std::vector<double> y(2), yp(2), z(2), zp(2);
  moved.prepare(0.07, 5), fresh.prepare(0.07, 5);
  moved.predict(y, yp), fresh.predict(z, zp);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(y[i], z[i], 1e-14);
    EXPECT_NEAR(yp[i], zp[i], 1e-13);
  }
}

// alpha does not depend on the steps before.
TEST(BdfHistory, HasAFixedLeadingCoefficient) {
  Walk walk;
  for (int k = 1; k <= 5; ++k) walk.step(0.03 * k, k);
  for (int k = 1; k <= 5; ++k) {
    walk.history.prepare(0.05, k, BdfHistory::Formulas::Backward);
    double harmonic = 0.0;
    for (int i = 1; i <= k; ++i) harmonic += 1.0 / i;
    EXPECT_DOUBLE_EQ(walk.history.alpha(), harmonic / 0.05);
  }
}

// alpha h = 1 + 1/2 + ... + 1/k + theta / (k + 1).
double part_of_next_term(int order) {
  const auto alpha = [&](BdfHistory::Formulas formulas) {
    BdfHistory history;
    history.start(std::vector<std::vector<double>>(std::max(order + 1, 3), {0.0}), 1.0);
    history.prepare(1.0, order, formulas);
    return history.alpha();
  };
  return (order + 1) * (alpha(BdfHistory::Formulas::Numerical) - alpha(BdfHistory::Formulas::Backward));
}

// The error of the slope of t^(k+1), whose difference of order k + 1 is all that the formula neglects.
TEST(BdfHistory, NumericalFormulasNeglectLessThanBackwardOnes) {
  for (int k = 1; k <= 5; ++k) {
    const auto missing = [&](BdfHistory::Formulas formulas) {
      std::vector<std::vector<double>> past;
      for (int j = 0; j <= std::max(k, 2); ++j) past.push_back({std::pow(-j, k + 1)});
      BdfHistory history;
      history.start(past, 1.0);
      history.prepare(1.0, k, formulas);
      std::vector<double> y(1), yp(1);
      history.predict(y, yp);
      return k + 1.0 - (yp[0] + history.alpha() * (1.0 - y[0]));
    };
    const double backward = missing(BdfHistory::Formulas::Backward);
    EXPECT_NEAR(missing(BdfHistory::Formulas::Numerical), (1.0 - part_of_next_term(k)) * backward,
                1e-12 * std::abs(backward));
    EXPECT_LE(std::abs(missing(BdfHistory::Formulas::Numerical)), 0.64 * std::abs(backward));
  }
}

// Meaningless differences, and rates computed from them, do not enter it.
TEST(BdfHistory, OrderOneIsBackwardEulerBehindTheStart) {
  Walk walk;
  walk.history.prepare(0.1, 1);
  EXPECT_GT(walk.history.alpha(), 11.0);
  for (int k = 0; k < 3; ++k) walk.step(0.1, 1);
  walk.history.prepare(0.1, 1);
  EXPECT_DOUBLE_EQ(walk.history.alpha(), 10.0);
}

// By the boundary of the region of stability: h lambda of a solution e^(i phi n).
TEST(BdfHistory, NumericalFormulasAreStableForWhatDecays) {
  for (const auto& [order, least] : {std::pair(1, 90.0), {2, 90.0}, {3, 80.0}, {4, 66.0}, {5, 36.5}}) {
    const double part = part_of_next_term(order);
    double angle = 90.0;
    for (int n = 1; n <= 20'000; ++n) {
      const std::complex<double> difference = 1.0 - std::polar(1.0, -std::numbers::pi * n / 20'000);
      std::complex<double> z = part / (order + 1) * std::pow(difference, order + 1);
      for (int j = 1; j <= order; ++j) z += std::pow(difference, j) / static_cast<double>(j);
      if (z.real() < -1e-9)
        angle = std::min(angle, std::atan2(std::abs(z.imag()), -z.real()) * 180.0 / std::numbers::pi);
    }
    EXPECT_GE(angle, least) << order;
  }
}

}  // namespace
}  // namespace driftless
