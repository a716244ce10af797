#include "driftless/integrate/run/event_spacing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

TEST(EventSpacing, OneEventTellsNothing) { EXPECT_EQ(EventSpacing().longest_step_behind(3.0), HUGE_VAL); }

TEST(EventSpacing, FourTimesTheTimeBetweenRegularEvents) {
  EventSpacing spacing;
  spacing.longest_step_behind(0.0);
  for (int k = 1; k < 20; ++k) EXPECT_DOUBLE_EQ(spacing.longest_step_behind(0.25 * k), 1.0) << k;
}

TEST(EventSpacing, IsAMeanThatForgetsSlowly) {
  EventSpacing spacing;
  spacing.longest_step_behind(0.0);
  spacing.longest_step_behind(1.0);
  EXPECT_DOUBLE_EQ(spacing.longest_step_behind(10.0), 4.0 * (1.0 + 0.125 * 8.0));
}

TEST(EventSpacing, SeveralEventsAtOneTimeTellNothing) {
  EventSpacing spacing;
  spacing.longest_step_behind(0.0);
  spacing.longest_step_behind(1.0);
  EXPECT_EQ(spacing.longest_step_behind(1.0), HUGE_VAL);
  EXPECT_DOUBLE_EQ(spacing.longest_step_behind(2.0), 4.0);
}

// A bouncing ball: the mean would adapt too slowly.
TEST(EventSpacing, EventsThatAccumulateAllowOnlySoManyOfTheLastTime) {
  EventSpacing spacing;
  double t = 0.0, between = 1.0, longest = HUGE_VAL;
  for (int k = 0; k < 12; ++k, between *= 0.5) longest = spacing.longest_step_behind(t += between);
  EXPECT_DOUBLE_EQ(longest, 32.0 * 2.0 * between);
  longest = spacing.longest_step_behind(t += 1.0);  // they no longer do
  EXPECT_GT(longest, 0.5);
}

TEST(EventSpacing, GoesOnFromAnArchive) {
  EventSpacing spacing, again;
  for (const double t : {0.0, 1.0, 1.5}) spacing.longest_step_behind(t);
  Archive out;
  spacing.archive(out);
  Archive in(out.bytes());
  again.archive(in);
  EXPECT_EQ(again.longest_step_behind(1.7), spacing.longest_step_behind(1.7));
}

}  // namespace
}  // namespace driftless
