#include "driftless/integrate/steppers/radau/radau_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

constexpr RadauControl::Order three{.stages = 3, .most_iterations = 10, .tolerance = 1e-5};
constexpr RadauControl::Order five{.stages = 5, .most_iterations = 15, .tolerance = 1e-5};

RadauControl::Step step(double error, const RadauControl::Order& order = three) {
  return {.order = order, .h = 0.1, .error = error, .iterations = 2, .rate = 1e-4, .failures = 0, .last_step = 0.0};
}

TEST(RadauControl, TheErrorIsOfTheOrderOfThePower) {
  const RadauControl control;
  // Both far enough from the limits of growth and cut: errors of 16 to 1 are sizes of 1 to 2 with three stages.
  EXPECT_NEAR(control.next_size(step(1e-2)) / control.next_size(step(16e-2)), 2.0, 1e-12);
  EXPECT_NEAR(control.next_size(step(1e-2, five)) / control.next_size(step(64e-2, five)), 2.0, 1e-12);
}

TEST(RadauControl, GrowthAndCutAreLimited) {
  const RadauControl control;
  EXPECT_DOUBLE_EQ(control.next_size(step(1e-10)), 0.8);
  EXPECT_DOUBLE_EQ(control.next_size(step(1e10)), 0.02);
}

TEST(RadauControl, ManyIterationsSpeakForASmallerStep) {
  const RadauControl control;
  RadauControl::Step many = step(1e-2);
  many.iterations = 9;
  EXPECT_LT(control.next_size(many), control.next_size(step(1e-2)));
}

TEST(RadauControl, DoesNotGrowWhereTheIterationConvergesSlowly) {
  const RadauControl control;
  RadauControl::Step slow = step(1e-8);
  slow.rate = 0.15;
  EXPECT_DOUBLE_EQ(control.next_size(slow), 0.1);
}

TEST(RadauControl, DoesNotGrowBehindAFailureOfTheSameStep) {
  const RadauControl control;
  RadauControl::Step repeated = step(1e-8);
  repeated.failures = 1;
  EXPECT_DOUBLE_EQ(control.next_size(repeated), 0.1);
}

TEST(RadauControl, GrowsSlowlyForFiveStepsBehindAFailureOfTheIteration) {
  RadauControl control;
  control.note_failure_of_iteration();
  for (int k = 0; k < 5; ++k) {
    EXPECT_DOUBLE_EQ(control.next_size(step(1e-8)), 0.13) << k;
    control.note_accepted(1e-8);
  }
  EXPECT_GT(control.next_size(step(1e-8)), 0.5);
}

TEST(RadauControl, AGrowingErrorIsExtrapolated) {
  RadauControl control;
  RadauControl::Step next = step(0.5);
  control.note_accepted(0.05);
  const double of_this_error = control.next_size(next);
  next.last_step = 0.1;  // of the same size, with a tenth of the error: the next will have ten times this one
  EXPECT_NEAR(control.next_size(next), 0.1 * 0.9 / std::pow(0.5 * 10.0, 0.25), 1e-15);
  EXPECT_LT(control.next_size(next), of_this_error);
}

TEST(RadauControl, TakesMoreStagesWhileStepsAreSteady) {
  RadauControl control;
  for (int k = 1; k < 4; ++k)
    EXPECT_EQ(control.change_of_order(step(0.1), 0.1, &five, nullptr), RadauControl::Change::None) << k;
  RadauControl::Order promising = five;
  promising.tolerance = 1.0;  // allows steps that are many times as long
  EXPECT_EQ(control.change_of_order(step(0.1), 0.1, &promising, nullptr), RadauControl::Change::Up);
  EXPECT_EQ(control.change_of_order(step(0.1), 0.2, &promising, nullptr), RadauControl::Change::None);  // it grows
  EXPECT_EQ(control.change_of_order(step(0.1), 0.1, nullptr, nullptr), RadauControl::Change::None);
}

TEST(RadauControl, TakesFewerStagesWhereTheyPromiseLessWork) {
  RadauControl control;
  RadauControl::Step slow = step(0.1, five);
  slow.iterations = 12;
  slow.rate = 0.5;
  RadauControl::Order same = three;
  same.tolerance = 1e-2;
  for (int k = 0; k < 3; ++k) control.change_of_order(slow, 0.1, nullptr, &same);
  EXPECT_EQ(control.change_of_order(slow, 0.1, nullptr, &same), RadauControl::Change::Down);
  control.note_order();
  EXPECT_EQ(control.change_of_order(slow, 0.1, nullptr, &same), RadauControl::Change::None);  // it has just changed
}

}  // namespace
}  // namespace driftless
