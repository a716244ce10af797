// Assertions and bounds during the run, and states that the user insists on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "driftless/model/builder.hpp"
#include "run_text.hpp"

namespace driftless {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string decay(const std::string& more) {
  return "model M\n  parameter Real low = 0.5;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\n  " +
         more + "\nend M;\n";
}

// x = exp(-t) falls below 0.5 at log 2.
TEST(Assertions, EndTheRunWhereTheyAreViolated) {
  for (const Method& method : {Method{method::Bdf{}}, Method{method::Radau{}}, Method{method::Taylor{}},
                               Method{method::ExplicitRungeKutta{}}}) {
    SimulateOptions options;
    options.method = method;
    const Solution solution = run_text(decay("assert(x > low, \"too low\");"), options);
    EXPECT_EQ(solution.outcome, Outcome::AssertionViolated) << solution.method;
    EXPECT_THAT(solution.message, HasSubstr("assertion violated: too low"));
    EXPECT_NEAR(solution.reached, std::log(2.0), 1e-4) << solution.method;
    ASSERT_FALSE(solution.details.empty());
    EXPECT_THAT(solution.details[0], HasSubstr("line 6: x > low does not hold at t = 0.69"));
    EXPECT_THAT(solution.details[0], HasSubstr("low = 0.5"));
    EXPECT_EQ(solution.times.size(), 347u) << "all output points before";
    EXPECT_GT(solution.final("x"), 0.5);
  }
}

TEST(Assertions, AtTheStartAndOnlyThere) {
  const Solution solution = run_text(decay("assert(x > 2, \"never\");"));
  EXPECT_EQ(solution.outcome, Outcome::AssertionViolated);
  EXPECT_EQ(solution.reached, 0.0);
  const Solution initial = run_text(
      "model M Real x(start = 1, fixed = true); initial equation assert(x > 0.9, \"start\"); equation der(x) = -x; end "
      "M;");
  EXPECT_EQ(initial.outcome, Outcome::Success) << initial.message;
}

TEST(Assertions, WarningsAreRemarksWithTheFirstTime) {
  const Solution solution = run_text(decay("assert(x > low, \"low\", AssertionLevel.warning);"));
  EXPECT_EQ(solution.outcome, Outcome::Success);
  EXPECT_THAT(solution.remarks, Contains(HasSubstr("line 6: low (first at t = 0.69")));
}

TEST(Assertions, InLoopsAndFunctions) {
  const Solution loop = run_text(R"(model M
  Real x[3](start = {1, 2, 3}, each fixed = true);
equation
  der(x) = -x;
  for i in 1:3 loop
    assert(x[i] < 2.5, "too large");
  end for;
end M;)");
  EXPECT_EQ(loop.outcome, Outcome::AssertionViolated);
  EXPECT_THAT(loop.details[0], HasSubstr("line 6 [i=3]: x[i] < 2.5 does not hold at t = 0, where x[3] = 3"));
  const Solution function = run_text(R"(function root
  input Real u;
  output Real y;
algorithm
  if u < 0.5 then
    assert(u > 0.2, "too small");
  end if;
  y := sqrt(u);
end root;
model M
  Real x(start = 1, fixed = true), y = root(x);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 3));
end M;)");
  EXPECT_EQ(function.outcome, Outcome::AssertionViolated) << function.message;
  EXPECT_NEAR(function.reached, std::log(5.0), 1e-4);
}

TEST(Assertions, FromTheBuilder) {
  ModelBuilder m("Decay");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true, .min = 0.9});
  m.equation(der(x) == -x);
  m.assertion(x > 0.5, "too low");
  const Solution solution = simulate(m.build(), SimulateOptions{});
  EXPECT_EQ(solution.outcome, Outcome::AssertionViolated);
  EXPECT_NEAR(solution.reached, std::log(2.0), 1e-4);
  EXPECT_THAT(solution.details[0], HasSubstr("assertion 1"));
  EXPECT_THAT(solution.remarks, Contains(HasSubstr("x is below its min = 0.9 from t = 0.1")));
}

TEST(Bounds, AreReportedWithVariableBoundTimeAndExtreme) {
  const Solution solution = run_text(R"(model M
  Real x(start = 1, fixed = true, min = 0.5, max = 0.9);
equation
  der(x) = -x;
end M;)");
  EXPECT_EQ(solution.outcome, Outcome::Success);
  EXPECT_THAT(solution.remarks, Contains(HasSubstr("x is below its min = 0.5 from t = 0.69")));
  EXPECT_THAT(solution.remarks, Contains(HasSubstr("the smallest value is 0.3678")));
  EXPECT_THAT(solution.remarks,
              Contains(HasSubstr("x is above its max = 0.9 from t = 0 on; the largest value is 1 at t = 0")));
  // An error within the tolerance of the run is no violation.
  SimulateOptions options;
  options.method = method::Bdf{};
  const Solution quiet =
      run_text("model M Real x(start = 1, fixed = true, min = 0); equation der(x) = -50*x; end M;", options);
  EXPECT_THAT(quiet.remarks, IsEmpty());
}

// Errors of 1e-6 in a charge of 1e-11 are within a tolerance of 1e-6 if nobody says how large charges are.
TEST(Sizes, AStateSmallerThanItsToleranceIsNamed) {
  const auto remarks = [](const char* attributes, const char* rate) {
    return run_text(fmt::format("model M Real q(start = 5e-12, fixed = true{}); equation der(q) = {} - q; end M;",
                                attributes, rate))
        .remarks;
  };
  EXPECT_THAT(
      remarks("", "1e-11*(1 + sin(time))"),
      Contains(HasSubstr("allows it errors of 1e-06, since its nominal value is 1. Give it one, q(nominal = 1e-11)")));
  const auto said_nothing = testing::Not(Contains(HasSubstr("nominal")));
  EXPECT_THAT(remarks(", nominal = 1e-11", "1e-11*(1 + sin(time))"), said_nothing);
  EXPECT_THAT(remarks("", "1"), said_nothing) << "it grows";
}

constexpr const char* pendulum = R"(model Pendulum
  Real x(start = 1), y(start = 0%1), vx, vy(start = 0%2), F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 3));
end Pendulum;)";

std::string pendulum_with(std::string select_y, std::string select_v) {
  std::string text = pendulum;
  text.replace(text.find("%1"), 2, select_y);
  text.replace(text.find("%2"), 2, select_v);
  return text;
}

// With y and vy as states the pendulum is singular where x = 0, which it passes again and again.
TEST(ForcedStates, ASingularPointIsNoticed) {
  const std::string always = ", stateSelect = StateSelect.always";
  for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
    SimulateOptions options;
    options.tolerance = tolerance;
    options.method = method::Bdf{};  // Taylor series choose no states
    const Solution solution = run_text(pendulum_with(always, always), options);
    EXPECT_NE(solution.outcome, Outcome::Success) << tolerance;
    EXPECT_LT(solution.reached, 0.6);
    std::string said = solution.message;
    for (const std::string& detail : solution.details) said += "\n" + detail;
    EXPECT_THAT(said, HasSubstr("x^2 + y^2 = 1"));
    EXPECT_EQ(run_text(pendulum_with("", ""), options).outcome, Outcome::Success);
  }
}

// Preferred states give way before. Near the singular point every error of y is felt as 1/x times that in x: with
// steps a thousand times as many as without the wish, the energy erred by 2e-3.
TEST(ForcedStates, PreferredStatesGiveWayInTime) {
  std::string text = pendulum_with(", stateSelect = StateSelect.prefer", ", stateSelect = StateSelect.prefer");
  text.replace(text.find("StopTime = 3"), 12, "StopTime = 10");
  for (const char* const name : {"bdf", "radau", "ida"}) {
    const auto method = parse_method(name);
    if (!method) continue;  // built without IDA
    const Solution solution = run_text(text, {.tolerance = 1e-8, .method = *method});
    ASSERT_EQ(solution.outcome, Outcome::Success) << name << solution.message;
    const double vx = solution.final("vx"), vy = solution.final("vy");
    EXPECT_NEAR(0.5 * (vx * vx + vy * vy) + 9.81 * solution.final("y"), 0.0, 1e-4) << name;
    EXPECT_LT(solution.statistics.steps, 4000) << name;
  }
}

TEST(ForcedStates, ImpossibleRequestsAreRefused) {
  const auto refusal = [](const std::string& text) { return refusal_of(text); };
  EXPECT_THAT(refusal("model M Real x(stateSelect = StateSelect.always), y(stateSelect = StateSelect.always); equation "
                      "der(x) + der(y) = 1; x = 2*y; end M;"),
              HasSubstr("stateSelect = always is asked for x and y, but only 1 of x and y can be a state"));
  EXPECT_THAT(refusal("model M Real x(stateSelect = StateSelect.never); equation der(x) = -x; end M;"),
              HasSubstr("stateSelect = never, but x must be a state"));
  EXPECT_THAT(
      refusal("model M Real x, y(stateSelect = StateSelect.always); equation der(x) = -x; y = sin(time); end M;"),
      HasSubstr("y cannot be a state: the equations leave it no freedom"));
  EXPECT_THAT(refusal("model M Real x(stateSelect = StateSelect.never), y(stateSelect = StateSelect.never); equation "
                      "der(x) + der(y) = 1; x = 2*y; end M;"),
              HasSubstr("stateSelect = never is asked for x and y"));
  EXPECT_THAT(refusal("model M Real x(stateSelect = StateSelect.always); equation der(x) = -x; end M;"), IsEmpty());
}

// No equation contains der(y): that of y is differentiated, and y begins at its start.
TEST(ForcedStates, EquationsAreDifferentiatedForThem) {
  const Solution s = run_text(
      "model M Real x(start = 1), y(start = 4, stateSelect = StateSelect.always); equation der(x) = -x; y = x^2; end "
      "M;",
      {.tolerance = 1e-9, .method = *parse_method("bdf")});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("y"), 4.0 * std::exp(-2.0), 1e-7);
  EXPECT_NEAR(s.final("x"), 2.0 * std::exp(-1.0), 1e-7);
}

}  // namespace
}  // namespace driftless
