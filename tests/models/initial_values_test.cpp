// Consistent initial values: the examples of the lecture notes (7-L3), and starts that are only roughly right (M51).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double exact = 1e-12;

Solution started(const std::string& text) {
  return simulate(read_text(text), {.stop = 1e-3, .tolerance = 1e-6, .intervals = 1, .method = method::Bdf{}});
}

double at_start(const Solution& solution, const char* name) { return solution.value(0, solution.find(name).value()); }

// u(0) is free; v and u' follow. q1 = cos t, q2 = 1 + sin 3t.
TEST(LectureNotes, IndexOneInDecoupledCoordinates) {
  const Solution solution = started(R"(
    model Decoupled
      Real u(start = 2, fixed = true), v;
    equation
      der(u) = -(u + v)/2 + cos(time);
      0 = (u - v)/2 - (1 + sin(3*time));
    end Decoupled;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(at_start(solution, "u"), 2.0, exact);
  EXPECT_NEAR(at_start(solution, "v"), 0.0, exact);       // u - 2 q2(0)
  EXPECT_NEAR(at_start(solution, "der(u)"), 0.0, exact);  // -(u + v)/2 + q1(0)
}

// The same with u = y1 + y2, v = y1 - y2: y2(0) is forced, and y1'(0) needs q2'(0), a differentiated equation.
TEST(LectureNotes, IndexOneInMixedCoordinates) {
  const Solution solution = started(R"(
    model Mixed
      Real y1(start = 1, fixed = true), y2;
    equation
      der(y1) + der(y2) = -y1 + cos(time);
      0 = y2 - (1 + sin(3*time));
    end Mixed;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(at_start(solution, "y2"), 1.0, exact);
  EXPECT_NEAR(at_start(solution, "der(y2)"), 3.0, exact);
  EXPECT_NEAR(at_start(solution, "der(y1)"), -1.0 + 1.0 - 3.0, exact);
}

std::string pendulum(const std::string& x, const std::string& y, const std::string& initial_equations) {
  return fmt::format(R"(
    model Pendulum
      Real x({}), y({}), lambda;
    initial equation
      {}
    equation
      der(der(x)) = -lambda*x;
      der(der(y)) = -lambda*y - 1;
      x^2 + y^2 = 1;
    end Pendulum;)",
                     x, y, initial_equations);
}

// x(0) fixes y(0) up to its sign, which the guess decides; one velocity fixes the other; lambda follows.
TEST(LectureNotes, PendulumFromOneCoordinateAndOneVelocity) {
  for (const double side : {-1.0, 1.0}) {
    const Solution solution =
        started(pendulum("start = 0.6, fixed = true", fmt::format("start = {}", 0.5 * side), "der(x) = 0.3;"));
    ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
    const double x = 0.6, y = 0.8 * side, u = 0.3, v = -x * u / y;
    EXPECT_NEAR(at_start(solution, "y"), y, exact);
    EXPECT_NEAR(at_start(solution, "der(y)"), v, exact);
    EXPECT_NEAR(at_start(solution, "lambda"), u * u + v * v - y, exact);
    EXPECT_THAT(solution.remarks, IsEmpty());
  }
}

TEST(LectureNotes, TooManyConditionsAreReported) {
  const Solution contradictory =
      started(pendulum("start = 0.6, fixed = true", "start = 0.7, fixed = true", "der(x) = 0.3;"));
  EXPECT_EQ(contradictory.outcome, Outcome::InitializationFailed);
  EXPECT_THAT(contradictory.message, HasSubstr("3 initial conditions for 2 degrees of freedom"));
  EXPECT_THAT(contradictory.message, HasSubstr("y = 0.7"));
}

TEST(LectureNotes, AWrongVelocityIsReported) {
  const Solution solution = started(pendulum("start = 0.6, fixed = true", "start = -0.8", "x*der(x) + y*der(y) = 1;"));
  EXPECT_EQ(solution.outcome, Outcome::InitializationFailed);
  EXPECT_THAT(solution.message, HasSubstr("x*der(x) + y*der(y) = 1"));
}

TEST(LectureNotes, MissingConditionsAreRemarked) {
  const Solution solution = started(R"(
    model Pendulum
      Real x(start = 0.6), y(start = -0.8), lambda;
    equation
      der(der(x)) = -lambda*x;
      der(der(y)) = -lambda*y - 1;
      x^2 + y^2 = 1;
    end Pendulum;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(at_start(solution, "x"), 0.6, 1e-6);
  EXPECT_NEAR(at_start(solution, "der(x)"), 0.0, 1e-6);
  EXPECT_THAT(solution.remarks, Not(IsEmpty()));
}

// M51: whatever the guesses, the start that comes out satisfies every constraint at every level and the conditions that
// were fixed.
TEST(PerturbedStarts, EndOnEveryConstraint) {
  std::mt19937 generator(20260101);
  std::normal_distribution<double> noise(0.0, 0.1);
  for (const char* name : {"double_pendulum", "slider_crank", "four_bar", "car_axis", "two_pendula", "three_pendula"})
    for (int sample = 0; sample < 20; ++sample) {
      Model model = read_shipped(name);
      for (Variable& variable : model.variables)
        if (!variable.fixed && variable.start) *variable.start += noise(generator) * std::abs(*variable.start);
      const Model perturbed = model;
      const Solution solution = simulate(
          std::move(model),
          {.stop = perturbed.experiment.stop * 1e-6, .tolerance = 1e-6, .intervals = 1, .method = method::Bdf{}});
      ASSERT_EQ(solution.outcome, Outcome::Success) << name << ", sample " << sample << ": " << solution.message;
      EXPECT_LE(solution.largest_residual(), 1e-8) << name << ", sample " << sample;
      for (const Variable& variable : perturbed.variables)
        if (variable.fixed) {
          EXPECT_NEAR(at_start(solution, variable.name.c_str()), *variable.start,
                      1e-9 * (std::abs(*variable.start) + 1.0))
              << name << ", " << variable.name;
        }
    }
}

// ---- starts mean what they say, from the text to the first point

TEST(Starts, OfStatesAreTheFirstPointBitForBit) {
  const Solution solution = started(R"(
    model Large
      Real x(start = 1), y;
    equation
      der(x) = -x;
      y + 0.5*sin(y) = 1e5*x;
    end Large;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_EQ(at_start(solution, "x"), 1.0);
}

TEST(Starts, AreTheSameForEveryMethod) {
  const std::string text = R"(
    model Coupled
      Real x(start = 1), y, z, p(start = 0.3), q;
    equation
      x*der(x) + 2*der(y) + 3*der(z) = 4;
      2*der(x) + der(y) + 3*der(z) = 5;
      2*der(x) + 2*der(y) + der(z) = 6;
      der(p) + der(q) = -p;
      p^2 + q = 1 + x;
    end Coupled;)";
  std::vector<double> first;
  for (const char* method : {"bdf", "radau", "explicit", "taylor"}) {
    SimulateOptions options{.stop = 1e-3, .tolerance = 1e-6, .intervals = 1};
    options.method = parse_method(method).value();
    const Solution solution = simulate(read_text(text), options);
    ASSERT_EQ(solution.outcome, Outcome::Success) << method << ": " << solution.message;
    std::vector<double> values;
    for (const char* name : {"x", "y", "z", "p", "q"}) values.push_back(at_start(solution, name));
    if (first.empty()) first = values;
    EXPECT_EQ(values, first) << method;
  }
  EXPECT_EQ(first[0], 1.0);
  EXPECT_EQ(first[3], 0.3);
}

TEST(Starts, OfAnIntervalOfNoLengthAreTheResult) {
  for (const char* method : {"bdf", "auto", "explicit"}) {
    SimulateOptions options{.stop = 0.0};
    options.method = parse_method(method).value();
    const Solution solution = simulate(read_text(R"(
      model Decay
        Real x(start = 2, fixed = true), y;
      equation
        der(x) = -x;
        y = x^2;
      end Decay;)"),
                                       options);
    ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
    EXPECT_EQ(solution.times.size(), 1u);
    EXPECT_EQ(at_start(solution, "y"), 4.0);
  }
}

TEST(Starts, FindParametersThatResultsList) {
  const Solution solution = started(R"(
    model Spring
      parameter Real k(fixed = false, start = 1);
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    initial equation
      der(v) = -4;
    equation
      der(x) = v;
      der(v) = -k*x;
    end Spring;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const auto& column = solution.columns[solution.find("k").value()];
  EXPECT_TRUE(column.is_parameter);
  EXPECT_NEAR(column.parameter_value, 4.0, exact);
  EXPECT_NEAR(at_start(solution, "der(v)"), -4.0, exact);
}

TEST(Starts, FollowTheSimplifiedFormOfHomotopy) {
  const Solution solution = started(R"(
    model Roots
      Real x(start = 1), y;
    equation
      der(x) = -x;
      homotopy(y^3 - 7*y + 6*x, y - 3) = 0;
    end Roots;)");
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(at_start(solution, "y"), 2.0, exact);
}

// The capacities decide about units, not about the index.
TEST(Starts, TransistorAmplifierWithOtherCapacities) {
  for (const auto& [name, value] : {std::pair{"C1", "1e-7"}, std::pair{"C2", "1e-9"}, std::pair{"C5", "1e-12"}}) {
    const Solution solution =
        simulate(read_shipped("transistor_amplifier", {{name, value}}), {.stop = 1e-6, .intervals = 1});
    EXPECT_EQ(solution.outcome, Outcome::Success) << name << ": " << solution.message;
    EXPECT_EQ(solution.structure.degrees_of_freedom, 5);
  }
}

}  // namespace
}  // namespace driftless
