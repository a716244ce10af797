#include "driftless/integrate/steppers/first_step.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr std::array<int, 1> first_slot{0};
constexpr double weight_of_error = 1e-6;

struct Decay {  // y' = rate y from y = 1
  double rate;
  double ahead = rate;  // the same ahead of the start
  std::vector<double> y{1.0}, yp{rate}, y_ahead = {}, yp_ahead = {};

  double first_step(int order, double longest, bool exists = true) {
    return first_step_size(
        {.t = 0.0,
         .longest = longest,
         .order = order,
         .states = first_slot,
         .y = y,
         .yp = yp,
         .y_ahead = y_ahead,
         .yp_ahead = yp_ahead},
        [](int) { return weight_of_error; },
        [&](double, std::vector<double>& at, std::vector<double>& slope) {
          slope[0] = ahead * at[0];
          return exists;
        });
  }
};

// With y = 1 and y' = -1 Euler's step is 0.01, and both d1 and d2 are 1 / weight: h^p / weight = 0.01.
TEST(FirstStep, MakesTheLeadingErrorAHundredthOfTheTolerance) {
  for (const int order : {2, 5, 8})
    EXPECT_NEAR(Decay{-1.0}.first_step(order, 10.0), std::pow(0.01 * weight_of_error, 1.0 / order), 1e-12);
}

// y'' is the square of y' here.
TEST(FirstStep, IsShorterWhereSlopesChangeFaster) {
  EXPECT_NEAR(Decay{-100.0}.first_step(5, 10.0), std::pow(0.01 * weight_of_error / 1e4, 0.2), 1e-12);
}

TEST(FirstStep, IsNotLongerThanWhatIsLeft) { EXPECT_EQ(Decay{-1.0}.first_step(5, 1e-3), 1e-3); }

TEST(FirstStep, IsAThousandthOfEulersStepWhereNoSlopeIsAhead) {
  EXPECT_DOUBLE_EQ(Decay{-1.0}.first_step(5, 10.0, false), 1e-5);
  EXPECT_DOUBLE_EQ((Decay{-1.0, -HUGE_VAL}.first_step(5, 10.0)), 1e-5);
}

}  // namespace
}  // namespace driftless
