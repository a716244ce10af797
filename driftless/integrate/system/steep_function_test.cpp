#include "driftless/integrate/system/steep_function.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(LimitedArgument, OfAnExponentialIsFreeWhereItDoesNotMatter) {
  EXPECT_EQ(limited_argument(Op::Exp, -480.0, 12.0, 17.0), 12.0);
  EXPECT_EQ(limited_argument(Op::Exp, -480.0, 17.0, 17.0), 17.0);
  EXPECT_EQ(limited_argument(Op::Exp, 3.0, -480.0, 17.0), -480.0);
}

TEST(LimitedArgument, OfAnExponentialGrowsToTheValueOfTheTangent) {
  for (const double from : {18.0, 20.0, 30.0})
    for (const double by : {1e-3, 1.0, 10.0, 300.0}) {
      const double to = limited_argument(Op::Exp, from, from + by, 17.0);
      EXPECT_NEAR(std::exp(to), std::exp(from) * (1.0 + by), 1e-12 * std::exp(to)) << from << " " << by;
    }
  EXPECT_DOUBLE_EQ(limited_argument(Op::Exp, -480.0, 480.0, 17.0), 17.0 + std::log1p(480.0 - 17.0));
}

TEST(LimitedArgument, OfAnExponentialStopsOnceOnItsWayDown) {
  EXPECT_EQ(limited_argument(Op::Exp, 25.0, -480.0, 17.0), 17.0);
  EXPECT_EQ(limited_argument(Op::Exp, 17.0, -480.0, 17.0), -480.0);
  EXPECT_EQ(limited_argument(Op::Exp, 25.0, 24.0, 17.0), 24.0);
}

TEST(LimitedArgument, OfAHyperbolicFunctionIsSymmetric) {
  for (const double from : {-30.0, 0.0, 30.0})
    for (const double to : {-400.0, -1.0, 1.0, 400.0})
      EXPECT_EQ(limited_argument(Op::Sinh, -from, -to, 5.0), -limited_argument(Op::Sinh, from, to, 5.0));
  EXPECT_DOUBLE_EQ(limited_argument(Op::Cosh, 0.0, -400.0, 5.0), -5.0 - std::log1p(395.0));
}

TEST(LimitedArgument, OfALogarithmStaysPositive) {
  for (const double to : {-1e9, -1.0, 0.0, 0.5}) EXPECT_GT(limited_argument(Op::Log, 2.0, to, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(std::log(limited_argument(Op::Log, 2.0, -1.0, 0.0)), std::log(2.0) - 1.5);  // the tangent's value
  EXPECT_EQ(limited_argument(Op::Log, 2.0, 1e9, 0.0), 1e9);
}

TEST(LimitedArgument, OfWhatHasNoValueStays) {
  EXPECT_EQ(limited_argument(Op::Exp, 3.0, std::nan(""), 17.0), 3.0);
  EXPECT_EQ(limited_argument(Op::Log, 3.0, HUGE_VAL, 17.0), 3.0);
}

TEST(SteepFunction, HasTheSlopeOfItsDifferenceQuotient) {
  constexpr double h = 1e-6;
  for (const Op op : {Op::Exp, Op::Sinh, Op::Cosh, Op::Log, Op::Log10})
    for (const double a : {0.5, 2.0, 7.0}) {
      ASSERT_TRUE(is_steep_function(op));
      const double quotient = (steep_value(op, a + h) - steep_value(op, a - h)) / (2.0 * h);
      EXPECT_NEAR(steep_slope(op, a), quotient, 1e-8 * (1.0 + std::abs(quotient)));
    }
  EXPECT_FALSE(is_steep_function(Op::Sin));
}

}  // namespace
}  // namespace driftless
