#include "driftless/solution/common_times.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using Times = std::vector<double>;

TEST(CommonTimes, AreThoseThatBothHave) {
  EXPECT_THAT(common_rows(Times{0, 1, 2, 3}, Times{0, 2, 2.5, 3, 4}, 1e-9),
              ElementsAre(CommonRow{0, 0}, CommonRow{2, 1}, CommonRow{3, 3}));
  EXPECT_THAT(common_rows(Times{1}, Times{1 + 1e-10}, 1e-9), ElementsAre(CommonRow{0, 0}));
  EXPECT_TRUE(common_rows(Times{1}, Times{1 + 1e-8}, 1e-9).empty());
  EXPECT_TRUE(common_rows(Times{}, Times{1}, 1e-9).empty());
}

TEST(CommonTimes, AtAnEventEqualSidesBelongTogether) {
  EXPECT_THAT(common_rows(Times{0, 1, 1, 2}, Times{0, 1, 1, 2}, 1e-9),
              ElementsAre(CommonRow{0, 0}, CommonRow{1, 1}, CommonRow{2, 2}, CommonRow{3, 3}));
  // An output point at the time of the event is a third row; in the other run it is a little later.
  EXPECT_THAT(common_rows(Times{0, 1, 1, 1, 2}, Times{0, 1 - 1e-10, 1 - 1e-10, 1, 2}, 1e-9),
              ElementsAre(CommonRow{0, 0}, CommonRow{1, 1}, CommonRow{3, 3}, CommonRow{4, 4}));
}

TEST(CommonTimes, WhereOnlyOneHasAnEventTheSideIsNotKnown) {
  EXPECT_THAT(common_rows(Times{0, 1, 1, 2}, Times{0, 1, 2}, 1e-9), ElementsAre(CommonRow{0, 0}, CommonRow{3, 2}));
  EXPECT_THAT(common_rows(Times{0, 1, 2}, Times{0, 1, 1, 2}, 1e-9), ElementsAre(CommonRow{0, 0}, CommonRow{2, 3}));
}

}  // namespace
}  // namespace driftless
