#include "driftless/integrate/steppers/ida/ida_acceptance.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(IdaAcceptance, AsksForASecondIterationUnlessTheFirstIsRounding) {
  EXPECT_EQ(IdaAcceptance()(0, 1e-6, false), newton::Verdict::GoOn);
  EXPECT_EQ(IdaAcceptance()(0, 1e-8, false), newton::Verdict::Converged);
}

// Corrections 1 and 1/4: the rate is 1/4, and the remaining error is a third of the second.
TEST(IdaAcceptance, JudgesWhatTheRateLeavesBehind) {
  for (const bool as_dassl : {false, true}) {
    IdaAcceptance test;
    test(0, 1.0, as_dassl);
    EXPECT_EQ(test(1, 0.25, as_dassl), newton::Verdict::Converged);
  }
  IdaAcceptance sharp, dassl;
  sharp(0, 2.0, false), dassl(0, 2.0, true);
  EXPECT_EQ(sharp(1, 0.5, false), newton::Verdict::GoOn);  // 1/6 is left
  EXPECT_EQ(dassl(1, 0.5, true), newton::Verdict::Converged);
}

TEST(IdaAcceptance, GivesUpWhereCorrectionsDoNotShrink) {
  IdaAcceptance test;
  test(0, 1.0, false);
  EXPECT_EQ(test(1, 0.95, false), newton::Verdict::Diverged);
  EXPECT_FALSE(test.has_small_corrections());
}

TEST(IdaAcceptance, ForgetsTheLastIterationWhenAnotherBegins) {
  IdaAcceptance test;
  test(0, 1.0, false);
  test(1, 0.95, false);
  test(0, 1.0, false);
  EXPECT_EQ(test(1, 0.25, false), newton::Verdict::Converged);  // as above, independent of earlier ones
  test(0, 0.05, false);
  EXPECT_TRUE(test.has_small_corrections());
}

}  // namespace
}  // namespace driftless
