#include "driftless/integrate/crossings/roots.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

// The product of x - r over the roots r, in the Bernstein basis: x - r has the coefficients -r and 1 - r, and a product
// has c_k = sum over i + j = k of C(m, i) C(n, j)/C(m + n, k) a_i b_j.
std::vector<double> with_roots(const std::vector<double>& roots) {
  std::vector<double> p{1.0};
  for (const double r : roots) {
    const auto n = static_cast<double>(p.size());  // the new degree
    std::vector<double> next(p.size() + 1, 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto k = static_cast<double>(i);
      next[i] += p[i] * -r * (n - k) / n;
      next[i + 1] += p[i] * (1.0 - r) * (k + 1.0) / n;
    }
    p = std::move(next);
  }
  return p;
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double v : values) size = std::max(size, std::abs(v));
  return size;
}

TEST(Roots, OfProductsAreFound) {
  Roots roots;
  EXPECT_THAT(roots.find(with_roots({0.3}), 0.0), ElementsAre(DoubleNear(0.3, 1e-15)));
  EXPECT_THAT(roots.find(with_roots({0.9, 0.1, 0.5}), 0.0),
              ElementsAre(DoubleNear(0.1, 1e-14), DoubleNear(0.5, 1e-14), DoubleNear(0.9, 1e-14)));
  EXPECT_THAT(roots.find(with_roots({-0.5, 1.5}), 0.0), IsEmpty());
  EXPECT_THAT(roots.find(with_roots({0.0, 1.0}), 0.0), ElementsAre(0.0, 1.0));
  EXPECT_THAT(roots.find(std::vector<double>{1.0, 2.0, 0.5}, 0.0), IsEmpty());
  EXPECT_THAT(roots.find(std::vector<double>{2.0}, 0.0), IsEmpty());
}

TEST(Roots, AtAPointWhereTheIntervalIsHalvedIsFoundOnce) {
  Roots roots;
  for (const double middle : {0.5, 0.25, 0.75, 0.125})
    EXPECT_THAT(
        roots.find(with_roots({middle, middle - 0.1, middle + 0.05}), 0.0),
        ElementsAre(DoubleNear(middle - 0.1, 1e-13), DoubleNear(middle, 1e-13), DoubleNear(middle + 0.05, 1e-13)));
}

// Rounding leaves a value there that is not 0.
TEST(Roots, WhereTheIntervalIsHalvedIsFoundInSpiteOfNoise) {
  Roots roots;
  for (const double rounding : {0.0, 1e-17, -1e-17}) {
    std::vector<double> p = with_roots({0.5, 0.1, 0.9});
    for (double& c : p) c += rounding;
    EXPECT_THAT(roots.find(p, 1e-14),
                ElementsAre(DoubleNear(0.1, 1e-13), DoubleNear(0.5, 1e-13), DoubleNear(0.9, 1e-13)))
        << rounding;
  }
}

TEST(Roots, WithoutRealRootsThereAreNone) {
  // (x - 0.4)^2 + d: no change of sign for d > 0, two roots for d < 0.
  Roots roots;
  for (const double d : {1e-1, 1e-6, 1e-12, -1e-12, -1e-6}) {
    std::vector<double> p = with_roots({0.4, 0.4});
    for (double& c : p) c += d;
    const auto found = roots.find(p, 0.0);
    if (d > 0.0)
      EXPECT_THAT(found, IsEmpty()) << d;
    else
      EXPECT_THAT(found, ElementsAre(DoubleNear(0.4 - std::sqrt(-d), 1e-9), DoubleNear(0.4 + std::sqrt(-d), 1e-9)))
          << d;
  }
}

// Rounding decides whether a double root counts as two or none; if found, it is close to the exact one.
TEST(Roots, ThatAreDoubleAreFoundNearbyOrNot) {
  Roots roots;
  for (const double r : {0.3, 0.5, 0.71})
    for (const double root : roots.find(with_roots({r, r, -0.2}), 0.0)) EXPECT_NEAR(root, r, 1e-7);
}

// The error of a simple root is that of the value by the slope there.
double error_of_root(const std::vector<double>& roots, double root) {
  double slope = 1.0;
  for (const double r : roots)
    if (r != root) slope *= root - r;
  return 1e-15 + 4e-15 * largest(with_roots(roots)) / std::abs(slope);
}

TEST(Roots, InClustersAreSeparated) {
  Roots roots;
  const std::vector<double> cluster{0.5 - 1e-4, 0.5, 0.5 + 1e-4, 0.9};
  const auto found = roots.find(with_roots(cluster), 0.0);
  ASSERT_EQ(found.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], cluster[i], error_of_root(cluster, cluster[i]));
}

TEST(Roots, OfRoundingAreNone) {
  Roots roots;
  EXPECT_THAT(roots.find(std::vector<double>{1e-17, -1e-17, 1e-17, -1e-17}, 1e-16), IsEmpty());
  EXPECT_THAT(roots.find(std::vector<double>{1e-17, -1.0, -1.0, 1.0}, 1e-16), ElementsAre(DoubleNear(0.8, 0.2)));
}

TEST(Roots, OfThousandsOfRandomPolynomialsAreAllFound) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(-0.5, 1.5);
  std::uniform_int_distribution<int> degrees(1, 12);
  Roots roots;
  for (int trial = 0; trial < 5000; ++trial) {
    std::vector<double> all(degrees(random)), inside;
    for (double& r : all) r = anywhere(random);
    std::ranges::sort(all);
    double gap = 1.0;
    for (std::size_t i = 1; i < all.size(); ++i) gap = std::min(gap, all[i] - all[i - 1]);
    for (const double r : all) gap = std::min({gap, std::abs(r), std::abs(1.0 - r)});
    if (gap < 1e-2) continue;
    std::ranges::copy_if(all, std::back_inserter(inside), [](double r) { return r > 0.0 && r < 1.0; });
    const auto found = roots.find(with_roots(all), 0.0);
    ASSERT_EQ(found.size(), inside.size()) << trial;
    for (std::size_t i = 0; i < inside.size(); ++i)
      EXPECT_NEAR(found[i], inside[i], error_of_root(all, inside[i])) << trial;
  }
}

}  // namespace
}  // namespace driftless
