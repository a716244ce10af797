#include "driftless/sensitivity/output_interpolation.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace driftless::sensitivity {
namespace {

// sin(omega t) at equidistant points, by steps of this length and order.
Solution sine(double omega, double distance, int count, double step, int order) {
  Solution solution;
  solution.columns = {{.name = "x"}, {.name = "v"}};
  for (int k = 0; k < count; ++k) {
    const double t = k * distance;
    solution.times.push_back(t);
    solution.values.push_back(std::sin(omega * t));
    solution.values.push_back(omega * std::cos(omega * t));
  }
  for (double t = 0.0; t < solution.times.back(); t += step) solution.segments.push_back({t, t + step, order, {}});
  return solution;
}

OutputInterpolation over(const Solution& solution, double tolerance) {
  return {solution, 0, solution.times.size(), {0, 1}, {1.0, 1.0}, tolerance};
}

TEST(OutputInterpolation, IsAsCloseAsTheToleranceSays) {
  const Solution solution = sine(1.0, 0.1, 30, 0.5, 7);
  const OutputInterpolation between = over(solution, 1e-7);
  std::vector<double> values;
  int known = 0;
  for (double t = 0.03; t < 2.9; t += 0.07) {
    if (!between(t, values)) continue;
    ++known;
    EXPECT_NEAR(values[0], std::sin(t), 1e-9) << t;
    EXPECT_NEAR(values[1], std::cos(t), 1e-9) << t;
  }
  EXPECT_GT(known, 25);
}

TEST(OutputInterpolation, SaysWhereThePolynomialsDiffer) {
  const Solution solution = sine(1.0, 0.4, 30, 2.0, 7);
  std::vector<double> values;
  EXPECT_TRUE(over(solution, 1e-2)(5.01, values));
  EXPECT_FALSE(over(solution, 1e-8)(5.01, values));
}

// A whole turn between two points: all of them have the same value.
// Twelve points know what eight do not; where there are only eight they do.
TEST(OutputInterpolation, TakesTwelvePointsWhereThereAreSoMany) {
  const Solution many = sine(1.0, 0.3, 30, 2.0, 7), few = sine(1.0, 0.3, 8, 2.0, 7);
  std::vector<double> values;
  ASSERT_TRUE(over(many, 1e-6)(1.06, values));
  EXPECT_NEAR(values[0], std::sin(1.06), 1e-8);
  EXPECT_FALSE(over(few, 1e-6)(1.06, values));
  EXPECT_TRUE(over(few, 1e-2)(1.06, values));
  for (int count = 8; count < 14; ++count) {
    const Solution solution = sine(1.0, 0.3, count, 2.0, 7);
    const OutputInterpolation between = over(solution, 1.0);
    for (double t = 0.0; t <= solution.times.back(); t += 0.05) {
      ASSERT_TRUE(between(t, values)) << count << ' ' << t;
      EXPECT_NEAR(values[0], std::sin(t), 1e-4) << count << ' ' << t;
    }
  }
}

TEST(OutputInterpolation, DoesNotLookOverAMotionBetweenThePoints) {
  const double turn = 2.0 * std::acos(-1.0);
  const Solution solution = sine(turn, 1.0, 30, 0.3, 7);
  std::vector<double> values;
  EXPECT_FALSE(over(solution, 1e-6)(5.3, values));
  // One short step in an interval is enough.
  Solution uneven = sine(1.0, 0.1, 30, 0.5, 7);
  ASSERT_TRUE(over(uneven, 1e-6)(1.02, values));
  uneven.segments = {{0.0, 1.01, 7, {}}, {1.01, 1.03, 7, {}}, {1.03, 3.0, 7, {}}};
  EXPECT_FALSE(over(uneven, 1e-6)(1.02, values));
  EXPECT_TRUE(over(uneven, 1e-6)(2.02, values));
}

TEST(OutputInterpolation, StepsOfMultistepFormulasReachOverSeveral) {
  Solution solution = sine(1.0, 0.1, 30, 0.05, 5);
  std::vector<double> values;
  solution.method = "radau";
  EXPECT_FALSE(over(solution, 1e-6)(1.02, values));
  solution.method = "bdf";
  EXPECT_TRUE(over(solution, 1e-6)(1.02, values));
}

// All polynomials have the values of the points, also right next to a jump of the trajectory.
TEST(OutputInterpolation, SaysThatValuesJumpRightBesideAPoint) {
  Solution solution = sine(1.0, 0.1, 30, 0.5, 7);
  for (std::size_t row = 11; row < 30; ++row) solution.values[2 * row] += 1.0;
  std::vector<double> values;
  const double t = solution.times[10];
  EXPECT_FALSE(over(solution, 1e-6)(t + 1e-14, values));
  EXPECT_FALSE(over(solution, 1e-6)(t - 1e-14, values));
  EXPECT_TRUE(over(solution, 1e-6)(solution.times[20] + 1e-14, values));
}

TEST(OutputInterpolation, KnowsNothingOfFewPointsOrOfColumnsThatAreMissing) {
  const Solution few = sine(1.0, 0.01, 7, 0.5, 7), many = sine(1.0, 0.01, 8, 0.5, 7);
  std::vector<double> values;
  EXPECT_FALSE(over(few, 1e-3)(0.025, values));
  EXPECT_TRUE(over(many, 1e-3)(0.025, values));
  EXPECT_FALSE(over(many, 1e-3)(0.08, values));
  const OutputInterpolation incomplete{many, 0, many.times.size(), {0, -1}, {1.0, 1.0}, 1e-3};
  EXPECT_FALSE(incomplete(0.025, values));
}

}  // namespace
}  // namespace driftless::sensitivity
