// Linear-quadratic optimal control: the boundary value problem and the Riccati equation have the same solution. And the
// adjoint identity.
#include <gmock/gmock.h>

#include "driftless/driftless.hpp"
#include "tests/boundary/boundary_testing.hpp"

namespace driftless {
namespace {

using namespace boundary_testing;

constexpr double tolerance = 1e-8;

// The Riccati equation with s = T - t, by the integrator for initial values.
Solution riccati(const std::string& text) {
  Solution s = simulate(from_text(text), {.tolerance = 1e-11});
  EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
  return s;
}

TEST(LinearQuadraticControl, OfOneStateIsTheRiccatiSolution) {
  const Solution s = solve_boundary(shipped("lq_scalar"), {.tolerance = tolerance});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.structure.structural_index, 1);
  EXPECT_EQ(s.structure.degrees_of_freedom, 2);
  const Solution p = riccati(R"(model R Real p(start = 0, fixed = true);
    equation der(p) = 2*0.5*p - p^2/0.5 + 2; annotation(experiment(StopTime = 2)); end R;)");
  double largest = 0.0;
  for (const double t : s.times)
    largest = std::max(largest, std::abs(s.at(t, "v") - p.at(2.0 - t, "p") * s.at(t, "y")));
  EXPECT_LT(largest, 100 * tolerance);
  EXPECT_LT(largest, tolerance);   // it is far better than that
  EXPECT_GT(s.at(0.0, "v"), 0.5);  // and speaks of numbers that are not 0
}

// Without control costs the one-dimensional problem has no state left: v = 0, so y = 0, so u = 0.
TEST(LinearQuadraticControl, OfOneStateWithoutControlCostsLeavesNoCondition) {
  const Model model = from_text(R"(model L Real y(start = 1, fixed = true), v, u; equation
    der(y) = 0.5*y + u; der(v) = -0.5*v - 2*y; 0 = v;
    annotation(__Driftless(finalEquations = {v == 0})); end L;)");
  EXPECT_EQ(analyze(model).shape.structural_index, 3);
  try {
    solve_boundary(model);
    FAIL() << "was not refused";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the equations leave no state: no condition can be imposed"));
  }
}

TEST(LinearQuadraticControl, OfAnOscillatorIsTheRiccatiSolution) {
  const Solution s = solve_boundary(shipped("lq_oscillator"), {.tolerance = tolerance});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.structure.structural_index, 1);
  EXPECT_EQ(s.structure.degrees_of_freedom, 4);
  // P' = A'P + P A - P B B'P/d + C backwards, with A = [0 1; -1 0], B = [0; 1].
  const Solution p = riccati(R"(model R Real p11(start = 0, fixed = true), p12(start = 0, fixed = true),
      p22(start = 0, fixed = true); parameter Real c1 = 4, c2 = 1, d = 0.25; equation
    der(p11) = -2*p12 - p12^2/d + c1; der(p12) = p11 - p22 - p12*p22/d; der(p22) = 2*p12 - p22^2/d + c2;
    annotation(experiment(StopTime = 2)); end R;)");
  double largest = 0.0;
  for (const double t : s.times) {
    const double y1 = s.at(t, "y1"), y2 = s.at(t, "y2"), back = 2.0 - t;
    const double v1 = p.at(back, "p11") * y1 + p.at(back, "p12") * y2;
    const double v2 = p.at(back, "p12") * y1 + p.at(back, "p22") * y2;
    largest = std::max(
        {largest, std::abs(s.at(t, "v1") - v1), std::abs(s.at(t, "v2") - v2), std::abs(s.at(t, "u") + v2 / 0.25)});
  }
  EXPECT_LT(largest, 100 * tolerance);
}

TEST(LinearQuadraticControl, OfAnOscillatorWithoutControlCostsIsTheRiccatiSolution) {
  for (const char* method : {"radau2", "radau3", "gauss2", "gauss3"}) {
    const Solution s = solve_boundary(shipped("lq_oscillator_singular"),
                                      {.tolerance = tolerance, .method = *boundary::parse_collocation_method(method)});
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(s.structure.structural_index, 3);
    EXPECT_EQ(s.structure.degrees_of_freedom, 2);
    EXPECT_EQ(s.verdict(), Verdict::Kept);
    const double w = 2.0, T = 2.0;
    const auto y1 = [&](double t) { return std::cosh(w * (T - t)) / std::cosh(w * T); };
    EXPECT_LT(error_of(s, "y1", y1), 100 * tolerance);
    EXPECT_LT(error_of(s, "y2", [&](double t) { return -w * std::sinh(w * (T - t)) / std::cosh(w * T); }),
              100 * tolerance);
    EXPECT_LT(error_of(s, "u", [&](double t) { return (w * w + 1.0) * y1(t); }), 100 * tolerance);
    const Solution p = riccati(R"(model R Real p(start = 0, fixed = true); equation der(p) = 4 - p^2;
      annotation(experiment(StopTime = 2)); end R;)");
    for (const double t : {0.0, 0.3, 1.0, 1.7, 2.0})
      EXPECT_NEAR(s.at(t, "v1"), p.at(T - t, "p") * s.at(t, "y1"), 100 * tolerance);
  }
}

// The integrals of g'y and v'f.
TEST(AdjointIdentity, HoldsToTheTolerance) {
  for (const double tol : {1e-6, 1e-9}) {
    const Solution s = solve_boundary(shipped("adjoint_identity"), {.tolerance = tol});
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_GT(std::abs(s.final("of_gy")), 1.0);
    EXPECT_NEAR(s.final("of_gy"), s.final("of_vf"), tol * (1.0 + std::abs(s.final("of_gy"))));
  }
}

TEST(OptimalControl, OfVanDerPolKeepsItsHamiltonian) {
  const Solution s = solve_boundary(shipped("van_der_pol_control"), {.tolerance = 1e-9});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_LT(s.invariants.at(0).max_deviation, 1e-7);
  EXPECT_NEAR(s.final("v1"), 0.0, 1e-10);
  // The same start, as an initial value problem: the costates at the start are the solution's.
  Model model = shipped("van_der_pol_control");
  for (Variable& variable : model.variables)
    if (variable.name == "v1" || variable.name == "v2")
      variable.start = s.at(0.0, variable.name), variable.fixed = true;
  const Solution again = simulate(model, {.stop = 2.0, .tolerance = 1e-11});
  for (const char* name : {"x1", "x2", "v1", "v2"}) EXPECT_NEAR(s.at(2.0, name), again.final(name), 1e-6) << name;
}

TEST(OptimalControl, SwingsAPendulumUp) {
  const Solution s = solve_boundary(shipped("pendulum_swing_up"), {.tolerance = 1e-8});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("phi"), std::acos(-1.0), 1e-10);
  EXPECT_NEAR(s.final("w"), 0.0, 1e-10);
  EXPECT_LT(s.invariants.at(0).max_deviation, 1e-7);
}

}  // namespace
}  // namespace driftless
