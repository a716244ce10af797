// Pulses of functions of time alone that are narrower by orders than the steps before them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "run_text.hpp"

namespace driftless {
namespace {

const std::vector<Method> methods = {method::Bdf{},    method::Radau{}, method::ExplicitRungeKutta{},
                                     method::Taylor{}, method::Auto{},  *parse_method("half-explicit5")};

Solution run(const std::string& equations, const Method& method, double tolerance) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.intervals = 1;
  return run_text("model Driven\n  Real x(start = 0, fixed = true), u, s;\nequation\n" + equations +
                      "  annotation(experiment(StopTime = 100));\nend Driven;",
                  options);
}

void expect_final(const std::string& equations, double exact, double relative) {
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run(equations, method, tolerance);
      ASSERT_EQ(solution.outcome, Outcome::Success) << equations << solution.method << solution.message;
      EXPECT_NEAR(solution.final("x"), exact, relative * exact + 10.0 * tolerance)
          << equations << " by " << solution.method << " at " << tolerance;
    }
}

TEST(Pulses, OfTimeAreNotPassedOver) {
  const double area = std::sqrt(M_PI);
  expect_final("  s = time - 50;\n  u = exp(-(s/1e-3)^2)/1e-3;\n  der(x) = u;\n", area, 1e-2);
  expect_final("  s = 0;\n  u = 0;\n  der(x) = 1e5*exp(-((time - 61.3)/1e-5)^2);\n", area, 1e-2);
  // A Lorentzian, of which the ends of long steps see the tails.
  expect_final("  s = 1 + ((time - 50.3)/1e-3)^2;\n  u = 1000/s;\n  der(x) = u;\n", M_PI - 4e-5, 1e-2);
  // A window that opens and closes.
  expect_final("  s = tanh((time - 33.3)/1e-3) - tanh((time - 33.4)/1e-3);\n  u = 5*s;\n  der(x) = u;\n", 1.0, 1e-2);
  // One after the other: the average of sin^200 is 200!/(2^100 100!)^2.
  const double average = std::exp(std::lgamma(201.0) - 2.0 * (100.0 * std::log(2.0) + std::lgamma(101.0)));
  expect_final("  s = 0;\n  u = sin(3.141592653589793*time/4)^200;\n  der(x) = u;\n", 100.0 * average, 1e-2);
}

// A pulse that moves the states by less than their tolerance costs no steps, nor does an oscillation of that kind.
TEST(Pulses, ThatDoNoHarmCostNoSteps) {
  const auto steps = [](const char* u, const Method& method) {
    const Solution s = run(fmt::format("  s = time;\n  u = {};\n  der(x) = sin(s) - x + u;\n", u), method, 1e-6);
    EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
    return s.statistics.steps;
  };
  for (const Method& method : {Method{method::Bdf{}}, Method{method::Radau{}}, Method{method::ExplicitRungeKutta{}}}) {
    const auto alone = steps("0", method);
    EXPECT_EQ(steps("1e-9*exp(-((time - 50)/1e-3)^2)", method), alone);
    EXPECT_EQ(steps("1e-9*exp(sin(1000*time))", method), alone);
  }
}

}  // namespace
}  // namespace driftless
