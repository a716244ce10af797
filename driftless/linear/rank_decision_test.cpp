#include "driftless/linear/rank_decision.hpp"

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

Eigen::VectorXd values(std::initializer_list<double> list) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(list.size()));
  Eigen::Index k = 0;
  for (const double value : list) result(k++) = value;
  return result;
}

TEST(RankDecision, CutsAtTheWidestGap) {
  const RankDecision cut = decide_rank(values({1.0, 0.3, 1e-9, 1e-14, 1e-15}), 1.0, 5);
  EXPECT_EQ(cut.rank, 2);
  EXPECT_DOUBLE_EQ(cut.smallest_kept, 0.3);
  EXPECT_DOUBLE_EQ(cut.largest_dropped, 1e-9);
  EXPECT_TRUE(cut.is_clear());
}

TEST(RankDecision, KeepsWhatIsLargerThanErrorsCanBe) {
  EXPECT_EQ(decide_rank(values({1.0, 1e-7}), 1.0, 2).rank, 2);
  EXPECT_EQ(decide_rank(values({1.0, 1e-7, 0.0}), 1.0, 3).rank, 2);
}

TEST(RankDecision, DropsRoundingErrorsWhateverTheirGapsAre) {
  EXPECT_EQ(decide_rank(values({1.0, 1e-16, 1e-40}), 1.0, 3).rank, 1);
  EXPECT_EQ(decide_rank(values({0.0, 0.0}), 1.0, 2).rank, 0);
  EXPECT_EQ(decide_rank(values({3e-17}), 1.0, 1).rank, 0);
}

TEST(RankDecision, ScalesWithTheMatrix) {
  EXPECT_EQ(decide_rank(values({1e-20, 1e-21, 1e-34}), 1e-20, 3).rank, 2);
  EXPECT_EQ(decide_rank(values({1e20, 1.0}), 1e20, 2).rank, 1);
}

TEST(RankDecision, SaysThatValuesWithoutAGapAreNotClear) {
  EXPECT_FALSE(decide_rank(values({1.0, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13}), 1.0, 7).is_clear());
  EXPECT_FALSE(decide_rank(values({1.0, 3e-9}), 1.0, 2).is_clear());
  EXPECT_TRUE(decide_rank(values({1.0, 0.5}), 1.0, 2).is_clear());
}

TEST(RankDecision, OfNoValuesIsZero) { EXPECT_EQ(decide_rank(Eigen::VectorXd(0), 1.0, 0).rank, 0); }

TEST(RankDecision, TheLeastClearHasTheNarrowestGap) {
  const std::vector<RankDecision> decisions = {{1, 2, 1.0, 1e-12}, {2, 3, 1e-4, 1e-8}, {1, 1, 1.0, 1e-16}};
  EXPECT_EQ(least_clear(decisions).rank, 2);
}

}  // namespace
}  // namespace driftless::linear
