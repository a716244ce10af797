#include "driftless/solution/curve_rows.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/solution/sample_solution.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(CurveRows, KeepTheColumnsAskedForAndParameters) {
  const Solution run = sample_solution();
  CurveRows rows(run, {"der(x)"});
  for (std::size_t k = 0; k < run.times.size(); ++k)
    rows.row(run.times[k], std::span(run.values).subspan(k * run.series(), run.series()));
  const Solution plotted = rows.plotted(run);
  EXPECT_EQ(plotted.column("time"), run.times);
  EXPECT_EQ(plotted.column("der(x)"), run.column("der(x)"));
  EXPECT_EQ(plotted.column("L"), run.column("L"));
  EXPECT_FALSE(plotted.find("x"));
}

// Three million points, and among them one peak of each sign: they are kept, and memory is bounded.
TEST(CurveRows, ThinOutWithoutLosingAPeak) {
  Solution head;
  head.columns = {{.name = "a"}, {.name = "b"}};
  CurveRows rows(head, {"a", "b"});
  constexpr int n = 3'000'000;
  for (int k = 0; k < n; ++k) {
    const double values[] = {k == 1'234'567 ? 5.0 : 0.0, k == 2'654'321 ? -7.0 : std::sin(1e-6 * k)};
    rows.row(k, values);
    ASSERT_LE(rows.rows(), 1'400'000u);
  }
  const Solution plotted = rows.plotted(head);
  const std::vector<double> a = plotted.column("a"), b = plotted.column("b");
  EXPECT_EQ(std::ranges::max(a), 5.0);
  EXPECT_EQ(std::ranges::min(b), -7.0);
  EXPECT_TRUE(std::ranges::is_sorted(plotted.times));
  EXPECT_EQ(plotted.times.front(), 0.0);
  EXPECT_EQ(plotted.times.back(), n - 1.0);
  EXPECT_EQ(plotted.times[static_cast<std::size_t>(std::ranges::max_element(a) - a.begin())], 1'234'567.0);
}

}  // namespace
}  // namespace driftless
