// Algebraic equations with several solutions: a run begins on the one that its starts mean, and stays on it, also where
// no rate depends on the unknown and no error test sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "run_text.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

SimulateOptions with(const Method& method, double tolerance) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.intervals = 200;
  return options;
}

const std::vector<Method> methods = {method::Bdf{}, method::Radau{}, method::ExplicitRungeKutta{},
                                     *parse_method("half-explicit5"), method::Auto{}};

// sin(y) = 0.9 sin(t) has the solutions y and pi - y beside each other, and both again every 2 pi.
TEST(Branches, NoStepLeavesTheSolution) {
  const char* const text = R"(model Swinging
  Real x(start = 0, fixed = true), y(start = 0);
equation
  der(x) = 1;
  sin(y) = 0.9*sin(x);
  annotation(experiment(StopTime = 100));
end Swinging;)";
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run_text(text, with(method, tolerance));
      ASSERT_EQ(solution.outcome, Outcome::Success) << solution.method << ": " << solution.message;
      const auto y = solution.column("y");
      for (std::size_t k = 0; k < y.size(); ++k)
        ASSERT_NEAR(y[k], std::asin(0.9 * std::sin(solution.times[k])), 100.0 * tolerance)
            << solution.method << " at " << solution.times[k];
    }
}

// The crank of a linkage turns steadily: the angles of its other bars follow, one way of several.
TEST(Branches, ALinkageStaysAssembledAsItWas) {
  const char* const text = R"(model Crank
  Real a(start = 0.2, fixed = true), b(start = 0.5), c(start = 1);
equation
  der(a) = 1;
  cos(a) + 2.5*cos(b) - 2*cos(c) = 2;
  sin(a) + 2.5*sin(b) - 2*sin(c) = 0;
  annotation(experiment(StopTime = 100));
end Crank;)";
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run_text(text, with(method, tolerance));
      ASSERT_EQ(solution.outcome, Outcome::Success) << solution.method << ": " << solution.message;
      // The diagonal from the crank to the far pivot, and the triangle of the other two bars upon it.
      const auto b = solution.column("b");
      for (std::size_t k = 0; k < b.size(); ++k) {
        const double t = 0.2 + solution.times[k], dx = 2.0 - std::cos(t), dy = -std::sin(t), d = std::hypot(dx, dy);
        const double apex = std::acos((6.25 + d * d - 4.0) / (5.0 * d));
        ASSERT_NEAR(b[k], std::atan2(dy, dx) + apex, 1e3 * tolerance) << solution.method << " at " << solution.times[k];
      }
    }
}

// At x = 0 the solutions y = x and y = -x cross: no run may choose one of them.
TEST(Branches, ARunEndsWhereSolutionsCross) {
  const char* const text = R"(model Crossing
  Real x(start = -1, fixed = true), y(start = 1);
equation
  der(x) = 1;
  y^2 = x^2;
  annotation(experiment(StopTime = 3));
end Crossing;)";
  for (const Method& method : {Method{method::Bdf{}}, Method{method::Radau{}}, Method{method::ExplicitRungeKutta{}}})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Solution solution = run_text(text, with(method, tolerance));
      EXPECT_NE(solution.outcome, Outcome::Success) << solution.method << " at " << tolerance;
      EXPECT_LT(solution.reached, 1.0 + 1e-9) << solution.method;
    }
}

// The start of an unknown that reduction defines by others says which solution is meant, as any other start.
TEST(Branches, StartsOfDefinedUnknownsChooseTheSolution) {
  const Solution root = run_text(R"(model Root
  Real x(start = 0.11, fixed = true), y(start = 0.5), a, b;
equation
  a = -0.57*y;
  der(x) = a;
  b = x;
  y^2 = b;
end Root;)");
  ASSERT_EQ(root.outcome, Outcome::Success) << root.message;
  EXPECT_NEAR(root.column("y").front(), std::sqrt(0.11), 1e-12);
  const Solution heated = run_text(R"(model Heated
  Real h(start = 100), T(start = 300), rho, m;
equation
  h = 2*(T - 273.15) + 0.004*(T - 273.15)^2;
  rho*(1 + 4e-4*(T - 293) + 2e-6*(T - 293)^2) = 1000;
  m = rho*1e-3;
  m*der(h) = 12 - 0.11*(T - 290);
end Heated;)");
  ASSERT_EQ(heated.outcome, Outcome::Success) << heated.message;
  EXPECT_EQ(heated.column("h").front(), 100.0);
  EXPECT_NEAR(heated.column("T").front(), 273.15 + (std::sqrt(4.0 + 1.6) - 2.0) / 0.008, 1e-9);
}

// The rate occurs nonlinearly: an iteration for a first step that begins with rates of 0 does not converge.
TEST(Branches, RadauBeginsWithTheRatesOfTheStart) {
  const Solution solution = run_text(R"(model Heated
  Real x(start = 2, fixed = true), y(start = -1), m, r;
equation
  m*der(x) = 1 - 0.57*y;
  y^2 + 1e-3*y = x;
  m = 1e-3*r;
  r*(1 + 0.1*y + 0.02*y^2) = 1000;
end Heated;)",
                                     with(method::Radau{}, 1e-8));
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(solution.final("x"), 3.740750089, 1e-7);  // by Taylor series in extended precision
}

}  // namespace
}  // namespace driftless
