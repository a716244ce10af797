#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "run_text.hpp"

namespace driftless {
namespace {

SimulateOptions with(const Method& method, double tolerance = 1e-6) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = tolerance;
  return options;
}

// Torricelli's tank: sqrt(h) falls linearly, h = (1 - t/2)^2 until it is empty at t = 2, then 0.
TEST(Kinks, ATankRunsEmpty) {
  const char* const tank = R"(model Tank
  Real h(start = 1, fixed = true);
equation
  der(h) = -sqrt(max(h, 0));
  annotation(experiment(StopTime = 4));
end Tank;)";
  for (const Method& method : {Method{method::Bdf{}}, Method{method::Radau{}}, Method{method::ExplicitRungeKutta{}}}) {
    const Solution solution = run_text(tank, with(method));
    EXPECT_EQ(solution.outcome, Outcome::Success) << solution.method << ": " << solution.message;
    const auto h = solution.column("h");
    for (std::size_t k = 0; k < solution.times.size(); ++k) {
      const double t = solution.times[k], exact = t < 2.0 ? (1.0 - 0.5 * t) * (1.0 - 0.5 * t) : 0.0;
      EXPECT_NEAR(h[k], exact, 2e-5) << solution.method << " at " << t;
    }
  }
}

TEST(Kinks, AnEmptyTankStaysEmptyAndFills) {
  for (const char* const law :
       {"sqrt(max(h, 0))", "sqrt(max(0, h))", "max(h, 0)^0.5", "if h > 0 then sqrt(h) else 0"}) {
    const Solution rest =
        run_text(std::string("model T Real h(start = 0, fixed = true); equation der(h) = -(") + law + "); end T;");
    EXPECT_EQ(rest.outcome, Outcome::Success) << law << rest.message;
    EXPECT_EQ(rest.final("h"), 0.0) << law;
    const Solution filling = run_text(std::string("model T Real h(start = 0, fixed = true); equation der(h) = 1 - (") +
                                      law + "); annotation(experiment(StopTime = 40)); end T;");
    EXPECT_EQ(filling.outcome, Outcome::Success) << law << filling.message;
    EXPECT_NEAR(filling.final("h"), 1.0, 1e-4) << law;
  }
}

// At the time 0 numbers are as dense as one likes: a step that is cut because it begins on a kink is not cut again.
TEST(Kinks, ASeriesThatBeginsOnAKinkOfTimeTakesTheBranchThatComes) {
  for (const char* const law :
       {"max(0, sin(4*time))", "max(sin(4*time), 0)", "noEvent(if sin(4*time) > 0 then sin(4*time) else 0)"}) {
    const Solution solution =
        run_text(std::string("model K Real x(start = 0, fixed = true); equation der(x) = ") + law + "; end K;",
                 with(method::Taylor{}, 1e-8));
    ASSERT_EQ(solution.outcome, Outcome::Success) << law << solution.message;
    const auto x = solution.column("x");
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], 0.25 * (1.0 - std::cos(std::min(4.0 * solution.times[k], M_PI))), 1e-7) << law;
  }
}

// Every power at 0: x' = -x^p from 0 stays there, also where the exponent is a parameter.
TEST(Kinks, PowersAtZeroRun) {
  for (const char* const p : {"0.5", "1", "1.5", "2", "3"})
    for (const std::string& power : {std::string("max(x, 0)^p"), std::string("x^2*max(x, 0)^p")}) {
      const Solution solution = run_text("model P parameter Real p = " + std::string(p) +
                                         "; Real x(start = 0, fixed = true); equation der(x) = -" + power + "; end P;");
      EXPECT_EQ(solution.outcome, Outcome::Success) << power << " with p = " << p << ": " << solution.message;
      EXPECT_EQ(solution.final("x"), 0.0);
    }
}

// A differentiated equation with powers of a base that is 0: y = x^p with y' needed, x = t - 1 passing 0.
TEST(Kinks, DifferentiatedPowers) {
  const Solution solution = run_text(R"(model D
  parameter Real p = 2;
  Real x(start = 0), y, z(start = 0, fixed = true);
equation
  x = time;
  y = x^p;
  der(z) = der(y);
end D;)");
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(solution.final("z"), 1.0, 1e-5);
}

// The rows of y cannot be solved by Newton's iteration where its root begins, and a point that only the polynomial of a
// step needs meets that: the step is taken in parts, and x, which does not depend on y at all, is right at every output
// point. (RandomModels has many of this kind, ExplicitRungeKutta.SaysThatAStepHasNoPolynomial what the method says.)
TEST(Kinks, AStepWithoutAPolynomialIsTakenInParts) {
  const char* const model = R"(model Kink
  Real x1(start = 0, fixed = true);
  Real y(start = -0.4947491825078604);
equation
  (der(x1) + (0.96*log((1 + max(x1, 0))))) = ((1.5*(cos((2.78*time))*2.78)) + (0.96*log((1 + max((1.5*sin((2.78*time))), 0)))));
  ((y + (0.65*sqrt(max(y, 0)))) + (0.42*x1)) = (((0.98*cos(((4.23*time) + 2.1))) + (0.65*sqrt(max((0.98*cos(((4.23*time) + 2.1))), 0)))) + (0.42*(1.5*sin((2.78*time)))));
end Kink;)";
  SimulateOptions options = with(method::ExplicitRungeKutta{}, 1e-8);
  options.intervals = 20;
  options.backend = Backend::Interpreter;
  for (const bool dense : {false, true}) {
    options.dense = dense;
    const Solution solution = run_text(model, options);
    EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
    const auto x = solution.column("x1");
    for (std::size_t i = 0; i < solution.times.size(); ++i)
      EXPECT_NEAR(x[i], 1.5 * std::sin(2.78 * solution.times[i]), 1e-6) << solution.times[i];
  }
}

// A contact for a small part of every period: no end of a step need be in it.
TEST(Kinks, AContactWithinAStepIsSeenByEveryMethod) {
  const double c = 0.997, exact = 3.0 * 100.0 * 2.0 * (std::sqrt(1.0 - c * c) - c * std::acos(c));
  for (const char* const contact : {"max(x - 0.997, 0)", "(if x > 0.997 then x - 0.997 else 0)", "(x - min(x, 0.997))",
                                    "max(sin(time) - 0.997, 0)", "0.5*(x - 0.997 + abs(x - 0.997))"})
    for (const char* const name :
         {"explicit", "dopri5", "radau", "bdf", "taylor", "half-explicit5", "half-explicit-extrapolation", "auto"}) {
      const Solution solution =
          run_text(std::string("model C Real x(start = 0, fixed = true), v(start = 1, fixed = true),"
                               " y(start = 0, fixed = true); equation der(x) = v; der(v) = -x;"
                               " der(y) = 100*") +
                       contact + "; annotation(experiment(StopTime = 18)); end C;",
                   with(*parse_method(name), 1e-6));
      EXPECT_EQ(solution.outcome, Outcome::Success) << name << solution.message;
      EXPECT_NEAR(solution.final("y"), exact, 1e-3) << name << " " << contact;
    }
  EXPECT_GT(exact, 0.05);
}

// The run begins on the kink, with a branch that holds neither before nor behind it, and the one that holds is left
// again at t = c: x = -c^4/3 from there on.
TEST(Kinks, ARunThatBeginsOnAKinkTakesTheBranchThatComes) {
  const char* const text = R"(model Tie
  parameter Real c = 0.87;
  Real x(start = 0, fixed = true), a;
equation
  a + 4*time^2*(c - time) = 0;
  der(x) = min(a, 0);
  annotation(experiment(StopTime = 2));
end Tie;)";
  for (const char* const name : {"bdf", "radau", "explicit", "taylor"}) {
    const Solution solution = run_text(text, with(*parse_method(name)));
    ASSERT_EQ(solution.outcome, Outcome::Success) << name << ": " << solution.message;
    EXPECT_NEAR(solution.final("x"), -std::pow(0.87, 4) / 3.0, 2e-5) << name;
  }
}

TEST(Kinks, TaylorSeriesChooseTheBranchByTheValue) {
  const char* const model = R"(model S
  Real x(start = -1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = sqrt(max(-x - 2, 0)) + max(-x, x);
  annotation(experiment(StopTime = 0.9));
end S;)";
  const Solution solution = run_text(model, with(method::Taylor{}, 1e-10));
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(solution.final("y"), 0.9 - 0.405, 1e-9);
}

// A tank that empties is empty from t = 2 on, where the slope of its outflow has no bound: sign(h) changes for ever
// without harm.
TEST(Kinks, ATankThatEmptiesStaysEmpty) {
  const std::string tank =
      "model T\n  Real h(start = 1, fixed = true);\nequation\n  der(h) = -sign(h)*sqrt(abs(h));\nend T;\n";
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
    for (const Method& method : {Method(method::Bdf{}), Method(method::Auto{})}) {
      SimulateOptions options;
      options.stop = 5.0;
      options.tolerance = tolerance;
      options.method = method;
      options.intervals = 100;
      const Solution s = run_text(tank, options);
      ASSERT_EQ(s.outcome, Outcome::Success) << tolerance << " " << s.message;
      const auto h = s.column("h");
      for (std::size_t k = 0; k < s.times.size(); ++k)
        EXPECT_NEAR(h[k], std::pow(std::max(0.0, 1.0 - s.times[k] / 2.0), 2), 10.0 * tolerance) << s.times[k];
    }
}

// Three tanks in a row have one level in the end, after finite time.
TEST(Kinks, TanksInARowEmptyTogether) {
  const std::string tanks =
      "model T\n  Real h1(start = 2, fixed = true), h2(start = 0.1, fixed = true), h3(start = 0, fixed = true);\n"
      "  Real q12 = 0.3*sign(h1 - h2)*sqrt(abs(h1 - h2)), q23 = 0.3*sign(h2 - h3)*sqrt(abs(h2 - h3));\nequation\n"
      "  der(h1) = -q12;\n  der(h2) = q12 - q23;\n  der(h3) = q23 - 0.3*sqrt(max(h3, 0));\nend T;\n";
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    SimulateOptions options;
    options.stop = 60.0;
    options.tolerance = tolerance;
    const Solution s = run_text(tanks, options);
    ASSERT_EQ(s.outcome, Outcome::Success) << tolerance << " " << s.message;
    for (const char* level : {"h1", "h2", "h3"}) EXPECT_NEAR(s.column(level).back(), 0.0, 20.0 * tolerance) << level;
  }
}

}  // namespace
}  // namespace driftless
