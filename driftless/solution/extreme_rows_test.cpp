#include "driftless/solution/extreme_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::ElementsAre;

TEST(ExtremeRows, KeepPeaksOfEveryGroupAndBothEnds) {
  // Two curves: groups of eight rows. Peaks of the first curve in rows 3 and 6, of the second in rows 5 and 2.
  std::vector<double> values;
  for (std::size_t row = 0; row < 10; ++row) {
    values.push_back(row == 3 ? 7.0 : row == 6 ? -7.0 : 0.0);
    values.push_back(row == 5 ? 9.0 : row == 2 ? -9.0 : 0.0);
  }
  EXPECT_THAT(extreme_rows(values, 10, 2), ElementsAre(0, 2, 3, 5, 6, 8, 9));
}

TEST(ExtremeRows, OfNoCurveAreOneInFour) { EXPECT_THAT(extreme_rows({}, 9, 0), ElementsAre(0, 4, 8)); }

}  // namespace
}  // namespace driftless
