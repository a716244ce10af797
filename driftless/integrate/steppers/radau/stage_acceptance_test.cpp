#include "driftless/integrate/steppers/radau/stage_acceptance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace driftless {
namespace {

using newton::Verdict;

constexpr StageAcceptance::Limits usual{
    .most_iterations = 10, .tolerance = 1e-3, .may_accept_first = false, .contraction = 1.0};

Verdict last_of(std::initializer_list<double> sizes, StageAcceptance& test) {
  Verdict verdict = Verdict::GoOn;
  for (const double size : sizes) {
    EXPECT_EQ(verdict, Verdict::GoOn);
    verdict = test(size);
  }
  return verdict;
}
Verdict last_of(std::initializer_list<double> sizes, const StageAcceptance::Limits& limits = usual) {
  StageAcceptance test(limits);
  return last_of(sizes, test);
}

TEST(StageAcceptance, TheFirstCorrectionIsNotAcceptedUnlessItIsAskedForOrTiny) {
  EXPECT_EQ(last_of({1e-4}), Verdict::GoOn);
  EXPECT_EQ(last_of({2e-8}), Verdict::Converged);
  StageAcceptance::Limits limits = usual;
  limits.may_accept_first = true;
  EXPECT_EQ(last_of({1e-4}, limits), Verdict::Converged);
  EXPECT_EQ(last_of({2e-3}, limits), Verdict::GoOn);
}

TEST(StageAcceptance, TheContractionOfTheStepBeforeIsTrustedLess) {
  StageAcceptance::Limits limits = usual;
  limits.may_accept_first = true;
  limits.contraction = 1e-2;
  const double trusted = std::pow(1e-2, 0.8);
  EXPECT_EQ(last_of({0.99e-3 / trusted}, limits), Verdict::Converged);
  EXPECT_EQ(last_of({1.01e-3 / trusted}, limits), Verdict::GoOn);
}

TEST(StageAcceptance, WhatIsLeftIsWithinTheTolerance) {
  EXPECT_EQ(last_of({1.0, 0.03}), Verdict::Converged);  // 0.00093 is left
  EXPECT_EQ(last_of({1.0, 0.04}), Verdict::GoOn);       // 0.0017
}

TEST(StageAcceptance, TheRateIsTheMeanOfTheLastTwo) {
  StageAcceptance test(usual);
  last_of({1.0, 0.1, 0.04}, test);
  EXPECT_DOUBLE_EQ(test.rate(), std::sqrt(0.1 * 0.4));
  EXPECT_EQ(test.iterations(), 3);
}

TEST(StageAcceptance, ForetellsThatTheIterationsWillNotDo) {
  StageAcceptance test(usual);
  EXPECT_EQ(last_of({1.0, 0.9}, test), Verdict::Diverged);  // 9 * 0.9 * 0.9^7 = 3.9: 3,900 times too much
  EXPECT_DOUBLE_EQ(test.foretold_cut(), std::pow(20.0, -1.0 / 11.0));
}

TEST(StageAcceptance, DivergesWithoutForesightWhereCorrectionsGrow) {
  StageAcceptance test(usual);
  EXPECT_EQ(last_of({1.0, 1.5}, test), Verdict::Diverged);
  EXPECT_EQ(test.foretold_cut(), 0.0);
}

TEST(StageAcceptance, SmallCorrectionsThatShrinkNoMoreAreRounding) {
  EXPECT_EQ(last_of({0.012, 0.0095}), Verdict::Converged);
}

TEST(StageAcceptance, ASingleCorrectionHasTheRateThatKeepsTheJacobian) {
  StageAcceptance test(usual);
  last_of({1e-9}, test);
  EXPECT_EQ(test.rate(), StageAcceptance::keep_jacobian);
}

}  // namespace
}  // namespace driftless
