// Algebraic equations with several solutions: a run begins on the one that its starts mean, and stays on it, also where
// no rate depends on the unknown and no error test sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

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

// The same with exponentials: a polynomial of a step may lead the iteration to another solution there as well.
TEST(Branches, NoStepLeavesTheSolutionOfExponentials) {
  const char* const text = R"(model Exponentials
  Real x(start = 0, fixed = true), y(start = -4.6), z(start = 1);
equation
  der(x) = 3.6862790000000003*cos(1.909*time);
  y^2*exp(y) = (0.2972*sin(5.912*x + 4.461) - 4.3)^2*exp(0.2972*sin(5.912*x + 4.461) - 4.3);
  exp(z) + exp(-z) = 3 + 0.9*sin(5*x);
  annotation(experiment(StopTime = 20));
end Exponentials;)";
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run_text(text, with(method, tolerance));
      ASSERT_EQ(solution.outcome, Outcome::Success) << solution.method << ": " << solution.message;
      const auto x = solution.column("x"), y = solution.column("y"), z = solution.column("z");
      for (std::size_t k = 0; k < y.size(); ++k) {
        ASSERT_NEAR(y[k], 0.2972 * std::sin(5.912 * x[k] + 4.461) - 4.3, 1e-6)
            << solution.method << " with " << tolerance << " at " << solution.times[k];
        ASSERT_NEAR(z[k], std::acosh(1.5 + 0.45 * std::sin(5.0 * x[k])), 1e-6)
            << solution.method << " with " << tolerance << " at " << solution.times[k];
      }
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

// Where the equations have one solution on both sides of a kink, it is touched and left again.
TEST(Branches, KinksOfOneSolutionArePassed) {
  const char* const text = R"(model Touching
  Real x(start = -1, fixed = true), y(start = -1), z;
equation
  der(x) = 1 + 0.1*x^2;
  y + 0.5*abs(y) = -x^2;
  z + 0.2*z^3 + max(z, 2*z - y) = 0.1*y;
  annotation(experiment(StopTime = 2));
end Touching;)";
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run_text(text, with(method, tolerance));
      EXPECT_EQ(solution.outcome, Outcome::Success) << solution.method << " at " << tolerance << solution.message;
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

// Two or three solutions meet where x is 0, or 1. A determinant that comes back with its sign hides that: the run may
// have gone from one solution to another one.
TEST(Branches, NoMethodPassesAPointWhereSolutionsMeet) {
  struct Case {
    const char* equation;
    double x, y;
  };
  const Case cases[] = {
      {"y*(y - x) = -x*(y - x)", -1.0453, 1.0453},
      {"y*(y - x) = -x*(y - x)", -1.921, 1.921},
      {"y^2 - 3*x*y + 2*x^2 = 0", -0.9, -1.8},
      {"(y - x)*(y + x)*(y - 3) = 0", -0.7, 0.7},
      {"cosh(y) = cosh(x)", -1.3, 1.3},
      {"exp(y) + exp(-y) = exp(x) + exp(-x)", -0.8, 0.8},
      {"(y - x)*exp(y)*(y + 2*x) = 0", -1.2, -1.2},
      {"log(y + 2)^2 = log(x + 2)^2", -1.6, -1.6},
      {"y^3 = x^2*y", -1.2542, 1.2542},
      // At a kink the determinant does not come to 0, but would have the other sign behind it.
      {"abs(y) = abs(x)", -1.0453, 1.0453},
      {"abs(y) = abs(x)", -0.8, -0.8},
      {"max(y, -y) = max(x, -x)", -1.3, -1.3},
  };
  const std::vector<Method> all = {method::Bdf{},    method::Radau{}, method::ExplicitRungeKutta{},
                                   method::Taylor{}, method::Auto{},  *parse_method("half-explicit5")};
  // A diode beside them changes nothing.
  for (const char* const diode : {"", "  Real i, v;\nequation\n  i = 1e-3*(exp(v) - 1);\n  i + v = 2*sin(time);\n"})
    for (const auto& [equation, x, y] : cases) {
      const std::string text = fmt::format(
          "model Meeting\n  Real x(start = {}, fixed = true), y(start = {});\n{}equation\n  der(x) = 1 + 0.1*x^2;\n  "
          "{};\n"
          "  annotation(experiment(StopTime = 4));\nend Meeting;",
          x, y, diode, equation);
      for (const Method& method : all)
        for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
          const Solution solution = run_text(text, with(method, tolerance));
          EXPECT_NE(solution.outcome, Outcome::Success) << equation << " by " << solution.method << " at " << tolerance;
        }
    }
}

// They come near, but do not meet.
TEST(Branches, ARunPassesWhereSolutionsStayApart) {
  const char* const text = R"(model Apart
  Real x(start = -1, fixed = true), y(start = 1);
equation
  der(x) = 1;
  y^2 = x^2 + 0.01;
  annotation(experiment(StopTime = 3));
end Apart;)";
  for (const Method& method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run_text(text, with(method, tolerance));
      ASSERT_EQ(solution.outcome, Outcome::Success) << solution.method << ": " << solution.message;
      EXPECT_NEAR(solution.final("y"), std::sqrt(4.01), 1e-8) << solution.method;
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
