#include "driftless/indices/power_law.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace {

const std::vector<double> frequencies = {1, 2, 4, 8, 16, 32};

template <class Function>
PowerLaw fitted_to(Function function) {
  std::vector<double> values;
  for (const double w : frequencies) values.push_back(function(w));
  return fit_power_law(frequencies, values, 4);
}

TEST(PowerLaw, OfAPowerIsItsExponent) {
  for (const int k : {-2, -1, 0, 1, 2, 3}) {
    const PowerLaw law = fitted_to([&](double w) { return 7.0 * std::pow(w, k); });
    EXPECT_NEAR(law.exponent, k, 1e-12);
    EXPECT_NEAR(law.misfit, 0.0, 1e-12);
    EXPECT_EQ(growth_of(law), k < 0 ? Growth::Falls : k == 0 ? Growth::Constant : Growth::Grows) << k;
  }
}

TEST(PowerLaw, OfTwoTermsWithoutAWinnerIsUndecided) {
  const PowerLaw law = fitted_to([](double w) { return 1.0 + w * w / 400; });
  EXPECT_GT(law.misfit, 0.3);
  EXPECT_EQ(growth_of(law), Growth::Undecided);
}

TEST(PowerLaw, OfARootIsUndecided) {
  EXPECT_EQ(growth_of(fitted_to([](double w) { return std::sqrt(w); })), Growth::Undecided);
  EXPECT_EQ(growth_of(fitted_to([](double w) { return 1 / std::sqrt(w); })), Growth::Undecided);
}

TEST(PowerLaw, LooksAtTheHighestFrequenciesOnly) {
  EXPECT_NEAR(fitted_to([](double w) { return w < 4 ? 1e6 : w; }).exponent, 1.0, 1e-12);
}

TEST(PowerLaw, WhatFallsAndThenStaysIsBounded) {
  EXPECT_TRUE(is_bounded(fitted_to([](double w) { return w < 16 ? 1 / w : 1.0 / 16; })));
  EXPECT_FALSE(is_bounded(fitted_to([](double w) { return w < 16 ? 1.0 : w; })));
}

}  // namespace
}  // namespace driftless
