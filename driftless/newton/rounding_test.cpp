#include "driftless/newton/rounding.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace driftless::newton {
namespace {

// Of sizes that are tested one after the other, the last verdict.
Verdict last_of(std::initializer_list<double> sizes, ToRounding test = ToRounding(at_a_point)) {
  Verdict verdict = Verdict::GoOn;
  for (const double size : sizes) verdict = test(size);
  return verdict;
}

TEST(NewtonToRounding, ACorrectionThatChangesNothingIsTheLast) {
  EXPECT_EQ(last_of({0.9e-14}), Verdict::Converged);
  EXPECT_EQ(last_of({1.1e-14}), Verdict::GoOn);
  EXPECT_EQ(last_of({0.0}), Verdict::Converged);
}

TEST(NewtonToRounding, SmallCorrectionsThatShrinkNoMoreAreRounding) {
  EXPECT_EQ(last_of({1e-3, 1e-10, 3e-11}), Verdict::Converged);
  EXPECT_EQ(last_of({1e-3, 1e-10, 2e-11}), Verdict::GoOn);  // five times smaller: it goes on
  EXPECT_EQ(last_of({1e-3, 1e-8, 3e-9}), Verdict::GoOn);    // too large for rounding
}

TEST(NewtonToRounding, TheFirstCorrectionIsComparedWithNone) { EXPECT_EQ(last_of({1e-10}), Verdict::GoOn); }

TEST(NewtonToRounding, ForgetsWhatWasBefore) {
  ToRounding test(at_a_point);
  test(1e-10);
  test.forget();
  EXPECT_EQ(test.last(), HUGE_VAL);
  EXPECT_EQ(test(1e-10), Verdict::GoOn);
  EXPECT_EQ(test(1e-10), Verdict::Converged);
}

TEST(NewtonToRounding, TellsOfTheLastTwo) {
  ToRounding test(in_a_step);
  test(1e-2);
  test(1e-3);
  EXPECT_EQ(test.last(), 1e-3);
  EXPECT_EQ(test.before(), 1e-2);
  EXPECT_TRUE(test.shrinks_slowly(0.05));
  EXPECT_FALSE(test.shrinks_slowly(0.2));
}

}  // namespace
}  // namespace driftless::newton
