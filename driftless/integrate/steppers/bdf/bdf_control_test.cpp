#include "driftless/integrate/steppers/bdf/bdf_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

// The errors of a solution whose differences decay by the factor q from order to order.
BdfHistory::Errors decaying(double same, int order, double q) {
  const double infinity = HUGE_VAL;
  return {.accepted = same,
          .same = same,
          .lower = order > 1 ? same / q : infinity,
          .twice_lower = order > 2 ? same / (q * q) : infinity,
          .higher = order < 5 ? same * q : infinity};
}

TEST(BdfControl, StartsByDoublingAndRaising) {
  BdfControl control;
  BdfControl::Next next{1e-6, 1};
  for (int n = 0; n < 6; ++n) next = control.accepted(next.h, next.order, decaying(1e-3, next.order, 0.1));
  EXPECT_EQ(next.order, 5);
  EXPECT_DOUBLE_EQ(next.h, 1e-6 * 32);  // not yet at the first step; at order 5 the error decides
}

TEST(BdfControl, LowersTheOrderWhenDifferencesDoNotDecay) {
  BdfControl control;
  EXPECT_EQ(control.accepted(0.1, 4, decaying(0.1, 4, 2.0)).order, 3);
  for (const int expected : {2, 2, 1}) EXPECT_EQ(control.accepted(0.1, 2, decaying(0.1, 2, 4.0)).order, expected);
  EXPECT_EQ(control.accepted(0.1, 4, decaying(0.1, 4, 0.5)).order, 4);
}

TEST(BdfControl, KeepsAStepSizeThatCouldHardlyGrow) {
  const auto next_step = [](double error) { return BdfControl{}.accepted(0.1, 5, decaying(error, 5, 0.5)).h; };
  const double aim = 1.0 / 8.0;
  EXPECT_EQ(next_step(0.9 * aim), 0.1);
  EXPECT_GT(next_step(0.1 * aim), 0.12);
  EXPECT_LT(next_step(1.5 * aim), 0.1);
}

// One small error among larger ones is chance.
TEST(BdfControl, GrowsByWhatTheErrorsOfTwoStepsAllow) {
  BdfControl control;
  const double h = control.accepted(0.1, 5, decaying(0.12, 5, 0.3)).h;
  EXPECT_EQ(h, 0.1);
  EXPECT_EQ(control.accepted(h, 5, decaying(0.01, 5, 0.3)).h, 0.1);
  EXPECT_GT(control.accepted(h, 5, decaying(0.01, 5, 0.3)).h, 0.13);
}

// Terms of equal size step after step are oscillations that the formula does not damp. At order 2 it does.
TEST(BdfControl, GoesDownToOrder2WhereOscillationsAreNotDamped) {
  BdfControl control;
  BdfControl::Next next{0.1, 5};
  int steps = 0;
  for (; next.order > 2 && steps < 100; ++steps)
    next = control.accepted(next.h, next.order, decaying(0.3, next.order, 0.6));
  EXPECT_LE(steps, 15);
  for (int n = 0; n < 15; ++n) {  // and rests there
    next = control.accepted(next.h, next.order, decaying(1e-3, next.order, 0.5));
    EXPECT_EQ(next.order, 2);
  }
  for (int n = 0; n < 10; ++n) next = control.accepted(next.h, next.order, decaying(1e-3, next.order, 0.5));
  EXPECT_GT(next.order, 2);
}

TEST(BdfControl, KeepsTheOrderOfWhatIsMerelyHardToIntegrate) {
  BdfControl control;
  BdfControl::Next next{0.1, 5};
  for (int n = 0; n < 200; ++n) {
    next = control.accepted(next.h, next.order, decaying(0.3, next.order, n % 3 == 0 ? 0.7 : 0.4));
    EXPECT_EQ(next.order, 5);
  }
}

TEST(BdfControl, DoesNotGrowRightAfterARejectedStep) {
  BdfControl control;
  const BdfControl::Next next = control.rejected(0.1, 2, decaying(5.0, 2, 0.3), 1);
  EXPECT_LT(next.h, 0.1);
  EXPECT_EQ(next.order, 2);
  for (int n = 0; n < 4; ++n) EXPECT_LE(control.accepted(0.05, 2, decaying(1e-3, 2, 1.0)).h, 0.05) << n;
  EXPECT_GT(control.accepted(0.05, 2, decaying(1e-3, 2, 1.0)).h, 0.05);
}

TEST(BdfControl, FallsBackToOrderOneAfterThreeFailures) {
  BdfControl control;
  EXPECT_EQ(control.rejected(0.1, 5, decaying(5.0, 5, 0.5), 3).order, 1);
  EXPECT_DOUBLE_EQ(control.rejected(0.1, 5, decaying(5.0, 5, 0.5), 3).h, 0.025);
}

}  // namespace
}  // namespace driftless
