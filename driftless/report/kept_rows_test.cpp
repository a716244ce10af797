#include "driftless/report/kept_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace driftless::reporting {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

Solution with_columns(std::size_t variables, std::size_t derivatives = 0) {
  Solution head;
  for (std::size_t k = 0; k < variables; ++k) head.columns.push_back({.name = "x" + std::to_string(k)});
  for (std::size_t k = 0; k < derivatives; ++k)
    head.columns.push_back({.name = "der(x" + std::to_string(k) + ")", .is_derivative = true});
  return head;
}

TEST(KeptRows, OfAShortRunAreAll) {
  KeptRows rows(with_columns(2));
  for (int k = 0; k < 5; ++k) rows.row(k, std::vector<double>{1.0 * k, -1.0 * k});
  rows.shrink(1'000'000);
  EXPECT_THAT(rows.times(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(rows.values_of(1), ElementsAre(0, -1, -2, -3, -4));
  EXPECT_EQ(rows.rows_in_all(), 5u);
}

TEST(KeptRows, OfALongRunKeepEveryPeak) {
  KeptRows rows(with_columns(2));
  for (int k = 0; k < 100'000; ++k)
    rows.row(k, std::vector<double>{k == 33'333 ? 7.0 : 0.0, k == 66'667 ? -9.0 : std::sin(k)});
  rows.shrink(4'000);
  EXPECT_LE(rows.times().size() * 2, 4'000u);
  EXPECT_EQ(rows.rows_in_all(), 100'000u);
  EXPECT_EQ(std::ranges::max(rows.values_of(0)), 7.0);
  EXPECT_EQ(std::ranges::min(rows.values_of(1)), -9.0);
  EXPECT_EQ(rows.times().front(), 0.0);
  EXPECT_EQ(rows.times().back(), 99'999.0);
  EXPECT_TRUE(std::ranges::is_sorted(rows.times()));
}

TEST(KeptRows, OfAWideRunKeepBothSidesOfEvents) {
  KeptRows rows(with_columns(1'000));
  std::vector<double> before(1'000, 1.0), after(1'000, 2.0);
  for (int k = 0; k < 1'000; ++k) {
    rows.row(k, k <= 501 ? before : after);
    if (k == 501) rows.row(k, after);
  }
  rows.shrink(300'000);
  EXPECT_EQ(std::ranges::count(rows.times(), 501.0), 2);
  EXPECT_LE(rows.times().size() * rows.columns().size(), 300'000u);
}

TEST(KeptRows, OfAVeryWideRunKeepWhatWasAskedForAndSomeOfTheRest) {
  KeptRows rows(with_columns(20'000, 10'000), {"der(x77)"});
  EXPECT_EQ(rows.columns_in_all(), 30'000u);
  EXPECT_EQ(rows.columns().size(), 4'000u);
  EXPECT_EQ(rows.columns()[0].name, "der(x77)");
  rows.row(0.0, std::vector<double>(30'000, 1.0));
  rows.shrink(100);
  EXPECT_EQ(rows.columns().size(), 100u);
  EXPECT_EQ(rows.columns()[0].name, "der(x77)");
  EXPECT_THAT(rows.values_of(99), Each(1.0));
}

TEST(KeptRows, DriftGrowsALevelInAModeWithMoreConstraints) {
  KeptRows rows(with_columns(1));
  rows.row(0.0, std::vector<double>{1.0});
  rows.drift(std::vector<double>{1e-16, 2e-16});
  rows.row(1.0, std::vector<double>{1.0});
  ASSERT_EQ(rows.levels(), 2u);
  EXPECT_THAT(rows.drift_of(0), ElementsAre(0.0, 1e-16));
  EXPECT_THAT(rows.drift_of(1), ElementsAre(0.0, 2e-16));
}

}  // namespace
}  // namespace driftless::reporting
