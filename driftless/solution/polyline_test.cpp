#include "driftless/solution/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace driftless {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(SeriesPath, KeepsEveryPointOfACoarseCurve) {
  const std::vector<double> x{0.0, 10.0, 20.5}, y{1.0, 2.25, -3.0};
  EXPECT_EQ(series_path(x, y), "M0,1L10,2.25 20.5,-3");
}

TEST(SeriesPath, HasGapsAndDots) {
  const std::vector<double> x{0, 10, 20, 30, 40, 50, 60}, y{nan, 1, 2, nan, 3, nan, 4};
  EXPECT_EQ(series_path(x, y), "M10,1L20,2M40,3h0M60,4h0");
  EXPECT_EQ(series_path({}, {}), "");
}

TEST(SeriesPath, KeepsTheExtremesOfEveryPixelColumn) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0.0, 100.0);
  const std::size_t n = 1'000'000;
  std::vector<double> x(n), y(n);
  std::map<long, std::pair<double, double>> expected;
  for (std::size_t k = 0; k < n; ++k) {
    const double pixel = 800.0 * static_cast<double>(k) / static_cast<double>(n);
    x[k] = std::floor(pixel) + 0.1 + 0.8 * (pixel - std::floor(pixel));  // away from borders, so rounding crosses none
    y[k] = noise(random);
    auto& [low, high] = expected.try_emplace(std::lround(std::floor(x[k])), y[k], y[k]).first->second;
    low = std::min(low, y[k]);
    high = std::max(high, y[k]);
  }
  const std::string path = series_path(x, y);
  EXPECT_LT(path.size(), 60'000u);

  std::map<long, std::pair<double, double>> drawn;
  std::size_t points = 0;
  for (const char* at = path.c_str() + 1; *at != '\0'; ++points) {
    char* next = nullptr;
    const long column = std::lround(std::floor(std::strtod(at, &next)));
    const double value = std::strtod(next + 1, &next);
    auto& [low, high] = drawn.try_emplace(column, value, value).first->second;
    low = std::min(low, value);
    high = std::max(high, value);
    at = *next == '\0' ? next : next + 1;
  }
  EXPECT_LE(points, 3200u);
  ASSERT_EQ(drawn.size(), 800u);
  for (const auto& [column, range] : expected) {
    EXPECT_LE(drawn[column].first, range.first + 0.006) << column;
    EXPECT_GE(drawn[column].second, range.second - 0.006) << column;
  }
}

TEST(OrbitPath, DrawsAPeriodicOrbitOnce) {
  std::vector<double> x, y;
  const auto turn = [&](int times) {
    x.clear(), y.clear();
    for (int k = 0; k <= 360 * times; ++k) {
      const double angle = k * std::numbers::pi / 180.0;
      x.push_back(200.0 + 150.0 * std::cos(angle));
      y.push_back(200.0 + 150.0 * std::sin(angle));
    }
    return orbit_path(x, y);
  };
  const std::string once = turn(1), often = turn(100);
  EXPECT_GT(std::count(once.begin(), once.end(), ','), 300);
  EXPECT_LT(often.size(), 3 * once.size());
  EXPECT_EQ(often.substr(0, once.size() / 2), once.substr(0, once.size() / 2));
}

TEST(OrbitPath, DrawsNothingWhereTheCurveWasNot) {
  // Back and forth, then a gap while the pen is up: no line may lead to the far end.
  const std::vector<double> x{0, 10, 0, 10, 0, nan, 50, 60}, y(8, 0.0);
  EXPECT_EQ(orbit_path(x, y), "M0,0L10,0 0,0M50,0L60,0");
}

TEST(OrbitPath, DropsPointsTooCloseToSeeAndKeepsTheEnd) {
  const std::vector<double> x{0.0, 0.1, 0.2, 5.0, 5.1}, y{0.0, 0.0, 0.0, 0.0, 0.0};
  EXPECT_EQ(orbit_path(x, y), "M0,0L5,0 5.1,0");
  const std::vector<double> gap{0.0, 5.0, nan, 9.0, 20.0};
  EXPECT_EQ(orbit_path(gap, y), "M0,0L5,0M9,0L20,0");
}

TEST(SeriesPath, IsInterruptedBeforeABreak) {
  const std::vector<double> x{0, 10, 10, 20}, y{0, 0, 5, 5};
  const std::vector<std::size_t> breaks{2};
  EXPECT_EQ(series_path(x, y, breaks), "M0,0L10,0M10,5L20,5");
  EXPECT_EQ(series_path(x, y, breaks, AtBreak::Corner), series_path(x, y));
}

// Without the break the corner at (10.7, 0) would be left out: it is neither first, lowest, highest nor last.
TEST(SeriesPath, KeepsTheCornerOfAStep) {
  const std::vector<double> x{0, 10.2, 10.7, 10.7, 20}, y{0, 0, 0, 5, 5};
  EXPECT_EQ(series_path(x, y), "M0,0L10.2,0 10.7,5 20,5");
  EXPECT_EQ(series_path(x, y, std::vector<std::size_t>{3}, AtBreak::Corner), "M0,0L10.2,0 10.7,0 10.7,5 20,5");
}

TEST(OrbitPath, IsInterruptedBeforeABreak) {
  const std::vector<double> x{0, 10, 10, 0}, y{0, 0, 5, 5};
  EXPECT_EQ(orbit_path(x, y, std::vector<std::size_t>{2}), "M0,0L10,0M10,5L0,5");
}

TEST(OrbitPath, APeriodicOrbitWithJumpsCostsOnePeriod) {
  std::vector<double> x, y;
  std::vector<std::size_t> breaks;
  for (int period = 0; period < 1000; ++period) {
    if (period > 0) breaks.push_back(x.size());
    for (int k = 0; k <= 10; ++k) x.push_back(10.0 * k), y.push_back(7.0 * k);
  }
  EXPECT_LT(orbit_path(x, y, breaks).size(), 200u);
}

TEST(VisibleJumps, ArePairsOfEqualTimeThatLieApart) {
  const std::vector<double> t{0, 1, 1, 2, 2, 3, 3}, x{0, 10, 10, 20, 20, 22, 22}, y{0, 0, 5, 5, 5.5, 5.5, 50};
  EXPECT_EQ(visible_jumps(t, x, y, 3.0), (std::vector<std::size_t>{2, 6})) << "half a pixel is no jump";
  const std::vector<double> crowded{0, 10, 10, 20, 20, 12, 12};
  EXPECT_EQ(visible_jumps(t, crowded, y, 3.0), (std::vector<std::size_t>{}));
  EXPECT_EQ(jump_path(x, y, std::vector<std::size_t>{2, 6}), "M10,0L10,5M22,5.5L22,50");
}

}  // namespace
}  // namespace driftless
