#include "driftless/integrate/steppers/bdf/bdf_acceptance.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace driftless {
namespace {

using newton::Verdict;

// Of sizes that are tested one after the other, the last verdict; those before say that the iteration goes on.
template <class Test>
Verdict last_of(std::initializer_list<double> sizes, Test test) {
  Verdict verdict = Verdict::GoOn;
  for (const double size : sizes) {
    EXPECT_EQ(verdict, Verdict::GoOn);
    verdict = test(size);
  }
  return verdict;
}

constexpr BdfAcceptance::Limits usual{
    .bound = 0.1, .rounding = 1e-9, .least_rate = 0.0, .rate_of_first = 0.0, .matrix_is_fresh = false};

Verdict last_of(std::initializer_list<double> sizes, const BdfAcceptance::Limits& limits = usual) {
  return last_of(sizes, BdfAcceptance(limits));
}

TEST(BdfAcceptance, OneCorrectionIsAcceptedOnlyIfItIsTiny) {
  EXPECT_EQ(last_of({2.9e-8}), Verdict::Converged);
  EXPECT_EQ(last_of({3.1e-8}), Verdict::GoOn);
}

TEST(BdfAcceptance, OrIfTheRateOfAnEarlierIterationIsTrusted) {
  BdfAcceptance::Limits limits = usual;
  limits.rate_of_first = 0.2;
  EXPECT_EQ(last_of({0.39}, limits), Verdict::Converged);  // 0.25 of it is left
  EXPECT_EQ(last_of({0.41}, limits), Verdict::GoOn);
}

TEST(BdfAcceptance, WhatIsLeftBehindTheSecondIsWithinTheBound) {
  EXPECT_EQ(last_of({2.0, 0.09}), Verdict::Converged);
  EXPECT_EQ(last_of({2.0, 0.9}), Verdict::GoOn);  // rate 0.45: 0.74 is left
}

TEST(BdfAcceptance, ARateBeyondOneHalfFails) {
  EXPECT_EQ(last_of({2.0, 1.1}), Verdict::Diverged);
  EXPECT_EQ(last_of({2.0, 0.8, 0.5}), Verdict::Diverged);  // though the mean is below
}

TEST(BdfAcceptance, WithAFreshMatrixWhatShrinksNoMoreIsRounding) {
  BdfAcceptance::Limits limits = usual;
  EXPECT_EQ(last_of({0.90e-3, 0.95e-3}, limits), Verdict::Diverged);
  limits.matrix_is_fresh = true;
  EXPECT_EQ(last_of({0.90e-3, 0.95e-3}, limits), Verdict::Converged);
  EXPECT_EQ(last_of({1.9e-3, 2.0e-3}, limits), Verdict::Diverged);
}

TEST(BdfAcceptance, BehindAJumpThreeCorrectionsAreMade) {
  EXPECT_EQ(last_of({9.0, 0.09}), Verdict::Converged);
  EXPECT_EQ(last_of({11.0, 0.09}), Verdict::GoOn);
  EXPECT_EQ(last_of({11.0, 0.09, 0.01}), Verdict::Converged);
}

TEST(BdfAcceptance, ARateThatTheChangeOfAlphaDoesNotExplainNeedsASmallThird) {
  BdfAcceptance::Limits limits = usual;
  EXPECT_EQ(last_of({3.0, 0.2}, limits), Verdict::GoOn);  // rate 0.067
  EXPECT_EQ(last_of({3.0, 0.2, 0.09}, limits), Verdict::Converged);
  limits.least_rate = 0.02;  // explains rates up to 0.08
  EXPECT_EQ(last_of({3.0, 0.2}, limits), Verdict::Converged);
}

TEST(BdfAcceptance, TheRateIsNeverBelowThatOfTheChangeOfAlpha) {
  BdfAcceptance::Limits limits = usual;
  limits.least_rate = 0.3;
  BdfAcceptance test(limits);
  test(1.0);
  EXPECT_EQ(test.rate(), 0.0);
  test(1e-3);
  EXPECT_EQ(test.rate(), 0.3);
}

TEST(BdfAcceptance, DigitsAreNotAskedForRates) { EXPECT_EQ(last_of({1e-7, 0.99e-9}), Verdict::Converged); }

TEST(QuadraticAcceptance, TheFirstCorrectionByTheRowsIsNotTrusted) {
  EXPECT_EQ(last_of({1e-20}, QuadraticAcceptance(0.1, 1e-9)), Verdict::GoOn);
  EXPECT_EQ(last_of({1e-20, 1e-10}, QuadraticAcceptance(0.1, 1e-9)), Verdict::Converged);
}

TEST(QuadraticAcceptance, TheNextOneIsTheSizeTimesTheRate) {
  EXPECT_EQ(last_of({1.0, 1e-2, 1e-3}, QuadraticAcceptance(0.1, 1e-9)), Verdict::Converged);  // 1e-4 is to come
  EXPECT_EQ(last_of({1.0, 1e-1, 2e-2}, QuadraticAcceptance(0.1, 1e-9)), Verdict::GoOn);       // 4e-3
}

TEST(QuadraticAcceptance, SlowOnesWithinTheBoundMayBeRounding) {
  QuadraticAcceptance test(0.1, 1e-9);
  for (const double size : {1.0, 0.08}) test(size);
  EXPECT_FALSE(test.is_slow());
  EXPECT_EQ(test(0.07), Verdict::GoOn);
  EXPECT_TRUE(test.is_slow());
}

TEST(QuadraticAcceptance, BeginsAgainWhereATangentHadNotArrived) {
  QuadraticAcceptance test(0.1, 1e-9);
  test(1.0);
  test(0.05);
  test.forget();
  EXPECT_EQ(test(1e-20), Verdict::GoOn);
}

}  // namespace
}  // namespace driftless
