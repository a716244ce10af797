#include "driftless/integrate/system/norms.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace driftless {
namespace {

TEST(Norms, RootMeanSquareOfChosenSlots) {
  const std::vector<double> x{3.0, 100.0, 4.0};
  const std::vector<int> slots{0, 2};
  EXPECT_DOUBLE_EQ(root_mean_square(slots, [&](int s) { return x[s]; }), std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(root_mean_square(2, [&](std::size_t i) { return x[i] - x[i + 1]; }),
                   std::sqrt((97.0 * 97.0 + 96.0 * 96.0) / 2.0));
  EXPECT_EQ(root_mean_square(std::vector<int>{}, [&](int s) { return x[s]; }), 0.0);
}

TEST(Norms, RelativeChangeKeepsTheLargestAndWhatIsNoNumber) {
  RelativeChange change;
  EXPECT_EQ(change.largest(), 0.0);
  change.add(-1.0, 3.0, 1.0);
  change.add(0.1, 0.0, 1.0);
  EXPECT_EQ(change.largest(), 0.25);
  change.add(std::numeric_limits<double>::quiet_NaN(), 1.0, 1.0);
  change.add(2.0, 1.0, 1.0);
  EXPECT_TRUE(std::isnan(change.largest()));
}

}  // namespace
}  // namespace driftless
