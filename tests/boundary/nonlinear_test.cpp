// Nonlinear boundary value problems with closed forms, or with a run of the initial value problem beside them.
#include <gmock/gmock.h>

#include "driftless/driftless.hpp"
#include "tests/boundary/boundary_testing.hpp"

namespace driftless {
namespace {

using namespace boundary_testing;
using ::testing::HasSubstr;

// theta = sqrt(2 lambda) cosh(theta/4), by Newton's iteration from a guess.
double bratu_theta(double lambda, double theta) {
  for (int k = 0; k < 50; ++k)
    theta -= (theta - std::sqrt(2 * lambda) * std::cosh(theta / 4)) /
             (1.0 - std::sqrt(2 * lambda) * std::sinh(theta / 4) / 4);
  return theta;
}

double bratu(double theta, double t) {
  return -2.0 * std::log(std::cosh((t - 0.5) * theta / 2) / std::cosh(theta / 4));
}

TEST(Bratu, TheGuessDecidesWhichSolutionIsFound) {
  for (const double lambda : {1.0, 3.0}) {
    const double lower = bratu_theta(lambda, 1.0), upper = bratu_theta(lambda, 12.0);
    ASSERT_LT(lower + 1.0, upper);
    const auto solve = [&](double height) {
      return solve_boundary(shipped("bratu", {{"lambda", lambda}, {"height", height}}), {.tolerance = 1e-8});
    };
    const Solution low = solve(0.0), high = solve(4.0);
    ASSERT_EQ(low.outcome, Outcome::Success) << low.message;
    ASSERT_EQ(high.outcome, Outcome::Success) << high.message;
    EXPECT_LT(error_of(low, "y", [&](double t) { return bratu(lower, t); }), 1e-7);
    EXPECT_LT(error_of(high, "y", [&](double t) { return bratu(upper, t); }), 1e-7);
  }
}

// Above lambda = 3.5138 there is no solution, and none is claimed.
TEST(Bratu, BeyondTheFoldThereIsNoSolution) {
  for (const double lambda : {3.52, 4.0}) {
    const Solution s = solve_boundary(shipped("bratu", {{"lambda", lambda}}));
    EXPECT_EQ(s.outcome, Outcome::BoundaryUnsolved);
    EXPECT_TRUE(s.times.empty());
    EXPECT_THAT(s.message, HasSubstr("mesh intervals"));
    ASSERT_FALSE(s.details.empty());
    EXPECT_THAT(s.details.front(), HasSubstr("has the largest residual"));
  }
}

// y'^2 = s^2 + 4 sinh^2(n y/2) with the slope s at the left end. The time from y = 0 to y = 1 is an elliptic integral
// of the first kind, and must be 1.
TEST(Troesch, HasTheSlopesOfTheEllipticIntegral) {
  for (const double n : {1.0, 5.0, 10.0}) {
    const Solution s = solve_boundary(shipped("troesch", {{"n", n}}), {.tolerance = 1e-8});
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    const double left = s.at(0.0, "der(y)"), right = s.at(1.0, "der(y)");
    const double time = std::ellint_1(std::sqrt(1.0 - left * left / 4), std::atan(2 * std::sinh(n / 2) / left)) / n;
    EXPECT_NEAR(time, 1.0, 1e-6);
    EXPECT_NEAR(right / std::sqrt(left * left + 2.0 * std::cosh(n) - 2.0), 1.0, 1e-7);
  }
}

// The steep layer needs short intervals at the right end only.
TEST(Troesch, TheMeshFollowsTheLayer) {
  const Solution s = solve_boundary(shipped("troesch", {{"n", 10.0}}), {.tolerance = 1e-6});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const Segment &first = s.segments.front(), &last = s.segments.back();
  EXPECT_GT(first.end - first.begin, 20 * (last.end - last.begin));
}

TEST(Pendulum, PassesBothSingularPointsOfItsCoordinates) {
  for (const char* method : {"radau3", "gauss3"}) {
    const Solution s = solve_boundary(shipped("pendulum_transfer"),
                                      {.tolerance = 1e-8, .method = *boundary::parse_collocation_method(method)});
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(s.structure.structural_index, 3);
    EXPECT_EQ(s.verdict(), Verdict::Kept);
    EXPECT_LT(s.invariants.at(0).max_deviation, 1e-6);
    EXPECT_NEAR(s.final("x"), std::sin(2.5), 1e-8);
    EXPECT_NEAR(s.final("y"), -std::cos(2.5), 1e-8);
    // In the angle it is an initial value problem with the speed that was found.
    const double speed = s.at(0.0, "der(x)") / std::cos(-2.0);
    Model angle = from_text(
        "model A Real phi(start = -2, fixed = true), w(start = 1, fixed = true); equation\n"
        "der(phi) = w; der(w) = -9.81*sin(phi); end A;");
    angle.variables[1].start = speed;
    const Solution run = simulate(angle, {.tolerance = 1e-12});
    EXPECT_NEAR(run.final("phi"), 2.5, 1e-6);
    EXPECT_LT(error_of(s, "x", [&](double t) { return std::sin(run.at(t, "phi")); }), 1e-6);
  }
}

// From a flat guess the iteration does not find the layer of n = 25; from n = 5 it is led there.
TEST(Continuation, FollowsASolutionToHarderParameters) {
  EXPECT_EQ(solve_boundary(shipped("troesch", {{"n", 25.0}}), {.tolerance = 1e-6}).outcome, Outcome::BoundaryUnsolved);
  const Solution s = solve_boundary(shipped("troesch", {{"n", 25.0}}), {.tolerance = 1e-6, .from = {{"n", 5.0}}});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double left = s.at(0.0, "der(y)"), right = s.at(1.0, "der(y)");
  EXPECT_NEAR(right / std::sqrt(left * left + 2.0 * std::cosh(25.0) - 2.0), 1.0, 1e-4);
}

TEST(Continuation, RefusesNamesThatAreNoParameters) {
  EXPECT_THROW(solve_boundary(shipped("bratu"), {.from = {{"mu", 1.0}}}), ModelError);
}

// Newton's iteration for atan(x) = 0 diverges from |x| > 1.392 unless its corrections are damped.
TEST(BoundaryValues, DampCorrectionsThatWouldDiverge) {
  for (const double start : {1.0, 3.0, -10.0}) {
    Model model = from_text(
        "model D Real x; equation der(x) = 0;\n"
        "annotation(__Driftless(finalEquations = {atan(x) == 0})); end D;");
    model.variables[0].start = start;
    const Solution s = solve_boundary(model);
    ASSERT_EQ(s.outcome, Outcome::Success) << start << ": " << s.message;
    EXPECT_NEAR(s.final("x"), 0.0, 1e-8);
  }
}

// A rate that is an unknown itself: der(x) occurs in a sine.
TEST(BoundaryValues, OfEquationsThatAreImplicitInTheSlope) {
  // Exact: x = sin(t), v = cos(t).
  const Solution s = solve_boundary(from_text(R"(model I Real x(start = 0, fixed = true), v(start = 1); equation
    der(x) + 0.1*sin(der(x)) = v + 0.1*sin(cos(time));
    der(v) + 0.1*der(v)^3 = -x - 0.1*sin(time)^3;
    annotation(experiment(StopTime = 1), __Driftless(finalEquations = {x == sin(1)})); end I;)"),
                                    {.tolerance = 1e-9});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_LT(error_of(s, "x", [](double t) { return std::sin(t); }), 1e-8);
  EXPECT_LT(error_of(s, "v", [](double t) { return std::cos(t); }), 1e-8);
}

TEST(BoundaryValues, ThroughTheBuilderAreThoseOfTheText) {
  ModelBuilder m("Bratu");
  const Expr y = m.variable("y", {.start = 0.0, .fixed = true});
  m.equation(der(der(y)) == -exp(y));
  m.final_equation(y == 0.0);
  m.guess(y, 16.0 * m.time() * (1.0 - m.time()));
  const Solution s = solve_boundary(m.build(), {.tolerance = 1e-8});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_LT(error_of(s, "y", [&](double t) { return bratu(bratu_theta(1.0, 12.0), t); }), 1e-7);
}

// A short pulse between the points of the first meshes: it turns the solution as a blow of the same impulse does.
TEST(BoundaryValues, FindAShortPulse) {
  const Solution s = solve_boundary(from_text(R"(model P Real x(start = 0, fixed = true); equation
    der(der(x)) = 1e4*exp(-((time - 0.50321)/1e-4)^2); annotation(__Driftless(finalEquations = {x == 0})); end P;)"),
                                    {.tolerance = 1e-7});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double impulse = std::sqrt(std::acos(-1.0));
  EXPECT_NEAR(s.at(0.0, "der(x)"), -impulse * (1.0 - 0.50321), 1e-6);
  EXPECT_NEAR(s.at(1.0, "der(x)"), impulse * 0.50321, 1e-6);
}

// The whole interval is stiff in both directions: solutions that grow and decay by exp(1000).
TEST(BoundaryValues, WithLayersAtBothEnds) {
  const Solution s = solve_boundary(from_text(R"(model S Real x(start = 1, fixed = true); equation
    der(der(x)) = 1e6*x; annotation(experiment(StopTime = 1), __Driftless(finalEquations = {x == 2})); end S;)"),
                                    {.tolerance = 1e-6});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_LT(error_of(s, "x", [](double t) { return std::exp(-1000 * t) + 2 * std::exp(-1000 * (1 - t)); }), 1e-5);
}

}  // namespace
}  // namespace driftless
