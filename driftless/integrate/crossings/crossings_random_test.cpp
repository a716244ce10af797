#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/integrate/crossings/sample_crossings.hpp"

namespace driftless {
namespace {

using samples::Curve;
using samples::Kind;
using samples::Search;
using samples::Steps;
using testing::ElementsAre;

struct Product {  // of t - r
  double scale;
  std::vector<double> roots;
  double operator()(double t) const {
    double value = scale;
    for (const double r : roots) value *= t - r;
    return value;
  }
  double slope(double t) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      double value = scale;
      for (std::size_t j = 0; j < roots.size(); ++j)
        if (j != i) value *= t - roots[j];
      sum += value;
    }
    return sum;
  }
  std::vector<double> powers(double a, double b) const {
    std::vector<double> c = {scale};
    for (const double r : roots) {
      c.push_back(0.0);
      for (std::size_t k = c.size(); k-- > 0;) c[k] = c[k] * (a - r) + (k > 0 ? c[k - 1] * (b - a) : 0.0);
    }
    return c;
  }
};

// At both ends of the step g = 0.2 and g' = 0, so a cubic shows nothing.
TEST(Crossings, OfAPolynomialOfCollocationAreFoundInItsMiddle) {
  const auto g = [](double t) {
    const double u = t * (1.0 - t), s = t - 0.5;
    return 0.2 + 200.0 * u * u * (s * s - 0.02);
  };
  const auto slope = [](double t) {
    const double u = t * (1.0 - t), s = t - 0.5;
    return 200.0 * (-4.0 * u * s * (s * s - 0.02) + 2.0 * u * u * s);
  };
  Search search({{Kind::Less, g, slope}});
  const auto events = search.all(0.0, 1.0, 1.0, Steps::Medium);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].t + events[1].t, 1.0, 1e-14);
  EXPECT_NEAR(g(events[0].t), 0.0, 1e-14);
  EXPECT_EQ(search.all(0.0, 1.0, 1.0, Steps::Short).size(), 0u);
}

// Several polynomials at once, each with known roots: every crossing is found, in order, in one long step and in
// several.
void find_those_of_random_polynomials(bool are_known) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> anywhere(-0.3, 1.3), part(0.1, 1.1);
  std::uniform_int_distribution<int> degrees(1, 8), kinds(0, 1);
  int crossings = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<Curve> curves;
    std::vector<std::pair<double, int>> expected;
    for (int f = 0; f < 3; ++f) {
      Product p{kinds(random) == 0 ? 3.0 : -0.01, std::vector<double>(degrees(random))};
      for (double& r : p.roots) r = 2.0 + anywhere(random);
      for (const double r : p.roots)
        if (r > 2.0 && r < 3.0) expected.push_back({r, f});
      curves.push_back({kinds(random) == 0 ? Kind::Less : Kind::LessEqual, p, [p](double t) { return p.slope(t); }});
      if (are_known)
        curves.back().powers = [p](double a, double b) { return p.powers(a, b); };
      else if (trial % 3 == 0)
        curves.back().slope = {};
    }
    std::ranges::sort(expected);
    double gap = 1.0;
    for (std::size_t i = 1; i < expected.size(); ++i) gap = std::min(gap, expected[i].first - expected[i - 1].first);
    if (gap < 1e-5) continue;
    Search search(curves);
    search.size = 0.0;
    const double step = trial % 2 == 0 ? 1.0 : part(random);
    const auto events = search.all(2.0, 3.0, step, Steps::Long);
    ASSERT_EQ(events.size(), expected.size()) << trial;
    for (std::size_t i = 0; i < expected.size(); ++i, ++crossings) {
      EXPECT_NEAR(events[i].t, expected[i].first, 1e-14 * expected[i].first) << trial;
      EXPECT_THAT(events[i].functions, ElementsAre(expected[i].second)) << trial;
    }
  }
  EXPECT_GT(crossings, 20000);
}

TEST(Crossings, OfThousandsOfRandomPolynomialsAreAllFoundInOrder) { find_those_of_random_polynomials(false); }

// Their coefficients are known, and nothing is interpolated.
TEST(Crossings, OfThousandsOfKnownPolynomialsAreAllFoundInOrder) { find_those_of_random_polynomials(true); }

}  // namespace
}  // namespace driftless
