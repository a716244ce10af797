#include "driftless/integrate/steppers/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

// With err = (h / a)^p the size at which err = safety^p is found at once.
TEST(StepControl, FindsTheStepWhereTheErrorIsAPowerOfTheStep) {
  const int order = 8;
  StepControl control(order, {.beta = 0.0, .safety = 0.8, .strongest_growth = 1e3, .growth_of_first = 1e3});
  const double a = 0.3;
  double h = 0.01;
  for (int k = 0; k < 3; ++k) h = control.accepted(h, std::pow(h / a, order));
  EXPECT_NEAR(h, 0.8 * a, 1e-14);
}

// err_n = (h_n / a_n)^p with a_n+1 = 0.7 a_n: where it goes on like that, prediction is exact, and no step is rejected.
TEST(StepControl, PredictsAnErrorThatGrowsFromStepToStep) {
  const int order = 8;
  const StepControl::Limits limits{.beta = 0.0, .safety = 0.95, .predicts = true};
  StepControl control(order, limits);
  double a = 1.0, h = 0.9;
  h = control.accepted(h, std::pow(h / a, order));
  a *= 0.7;
  for (int k = 0; k < 3; ++k) h = control.rejected(h, std::pow(h / a, order));
  for (int k = 0; k < 10; ++k) {
    const double error = std::pow(h / a, order);
    EXPECT_LE(error, 1.0) << k;
    h = control.accepted(h, error);
    a *= 0.7;
    if (k > 1) {
      EXPECT_NEAR(h, limits.safety * a, 1e-12 * a) << k;
    }
  }
}

TEST(StepControl, NeverPredictsALongerStepThanTheErrorAllows) {
  StepControl plain(8, {.beta = 0.0}), predicting(8, {.beta = 0.0, .predicts = true});
  for (const double error : {0.5, 1e-3, 0.9, 1e-6, 0.02})
    EXPECT_LE(predicting.accepted(1.0, error), plain.accepted(1.0, error)) << error;
}

TEST(StepControl, StaysWithinItsLimits) {
  StepControl control(8, {.beta = 0.0, .strongest_cut = 0.25, .strongest_growth = 6.0, .growth_of_first = 50.0});
  EXPECT_DOUBLE_EQ(control.accepted(1.0, 1e-300), 50.0);
  EXPECT_DOUBLE_EQ(control.accepted(1.0, 1e-300), 6.0);
  EXPECT_DOUBLE_EQ(control.rejected(1.0, 1e10), 0.25);
  EXPECT_DOUBLE_EQ(control.accepted(1.0, 1e-300), 1.0);  // right after a rejected step
  EXPECT_DOUBLE_EQ(control.accepted(1.0, 0.0), 6.0);
}

}  // namespace
}  // namespace driftless
