// Runs that continue beyond a fold of their algebraic equations: when they leap, and where to.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using samples::run;
using ::testing::HasSubstr;

Solution folded(const std::string& text, double stop, Method method = method::Bdf{}) {
  return run(samples::from_text(text), formulation::Dummy{},
             {.stop = stop, .method = method, .tolerance = 1e-8, .intervals = 400});
}

// y^3 - 3y = 3 sin(t): the lower of three solutions ends where 3 sin(t) = 2, and the upper one where it is -2.
TEST(OverFolds, ACubicSwitchesWhereItsSolutionsEnd) {
  const Solution solution = folded(R"(
    model Cubic
      Real y(start = -1.7);
    equation
      y^3 - 3*y = 3*sin(time);
    end Cubic;)",
                                   7.0);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  ASSERT_EQ(solution.remarks.size(), 1u);
  EXPECT_THAT(solution.remarks[0], HasSubstr("have a fold"));
  const double up = std::asin(2.0 / 3.0), down = std::numbers::pi + up;
  for (std::size_t row = 0; row < solution.times.size(); ++row) {
    const double t = solution.times[row], y = solution.value(row, *solution.find("y"));
    EXPECT_NEAR(y * y * y - 3.0 * y, 3.0 * std::sin(t), 1e-9) << t;
    if (std::abs(t - up) > 1e-6 && std::abs(t - down) > 1e-6) {
      EXPECT_EQ(y > 0.0, t > up && t < down) << t;
    }
  }
}

// The limit of van der Pol's equation: z = y^3/3 - y with dz/dt = -y has y from 2 to 1, then from -2 to -1, and the
// period 3 - 2 ln 2 (Hairer and Wanner 1996, Section VI.1).
TEST(OverFolds, ARelaxationOscillationHasItsPeriod) {
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{})}) {
    const Solution solution = folded(R"(
      model Relaxation
        Real z, y(start = 2);
      initial equation
        z = 2/3;
      equation
        der(z) = -y;
        z = y^3/3 - y;
      end Relaxation;)",
                                     4.0, method);
    ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
    const double half = 1.5 - std::numbers::ln2;
    for (std::size_t row = 0; row < solution.times.size(); ++row) {
      const double t = solution.times[row], y = solution.value(row, *solution.find("y"));
      const double phase = t / half - std::floor(t / half);
      if (phase > 1e-5 && phase < 1.0 - 1e-5) {
        EXPECT_EQ(y > 0.0, std::fmod(std::floor(t / half), 2.0) == 0.0) << t;
      }
    }
  }
}

// An amplifier whose output is limited and fed back: its characteristic has corners.
TEST(OverFolds, ATriggerWithALimitedAmplifierSwitches) {
  const Solution solution = folded(R"(
    model Trigger
      parameter Real gain = 1e4, feedback = 0.1;
      Real out(start = -15), difference;
    equation
      difference = 5*sin(time) + feedback*out;
      out = smooth(0, noEvent(if gain*difference > 15 then 15 else if gain*difference < -15 then -15
                              else gain*difference));
    end Trigger;)",
                                   6.0);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const double up = std::asin((1.5 - 1.5e-3) / 5.0), down = std::numbers::pi + up;
  for (std::size_t row = 0; row < solution.times.size(); ++row) {
    const double t = solution.times[row];
    if (std::abs(t - up) > 1e-6 && std::abs(t - down) > 1e-6) {
      EXPECT_NEAR(solution.value(row, *solution.find("out")), t > up && t < down ? 15.0 : -15.0, 1e-9) << t;
    }
  }
}

// The solutions of y^2 = 1 - t end for good.
TEST(OverFolds, WhereTheCurveDoesNotComeBackTheRunEnds) {
  EXPECT_THROW(folded("model Fold Real y(start = 1); equation y^2 = 1 - time; end Fold;", 2.0), std::runtime_error);
  EXPECT_THROW(folded(R"(
    model FoldOfState
      Real y(start = 1), z(start = 0, fixed = true);
    equation
      y^2 = 1 - z;
      der(z) = 1;
    end FoldOfState;)",
                      2.0),
               std::runtime_error);
}

}  // namespace
}  // namespace driftless
