// Conditions that cannot be imposed are refused with their names and numbers, and what is not found is not claimed.
#include <gmock/gmock.h>

#include "driftless/driftless.hpp"
#include "tests/boundary/boundary_testing.hpp"

namespace driftless {
namespace {

using namespace boundary_testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const Model& model, const BoundaryOptions& options = {}) {
  try {
    const Solution s = solve_boundary(model, options);
    return "no refusal: " + std::string(to_string(s.outcome)) + " " + s.message;
  } catch (const ModelError& error) {
    return error.what();
  }
}

Model pendulum(const std::string& x, const std::string& y, const std::string& final_equations) {
  return from_text("model P\n  Real x(start = 0.6" + x + ");\n  Real y(start = -0.8" + y +
                   ");\n  Real lambda;\nequation\n  der(der(x)) = -lambda*x;\n  der(der(y)) = -lambda*y - 9.81;\n"
                   "  x^2 + y^2 = 1;\n  annotation(__Driftless(finalEquations = {" +
                   final_equations + "}));\nend P;");
}

TEST(Conditions, TooManyAreCountedAndNamed) {
  EXPECT_THAT(refusal(pendulum(", fixed = true", "", "x == -0.6, y == -0.8")),
              AllOf(HasSubstr("3 conditions for 2 states: 1 too many"), HasSubstr("the fixed start x = 0.6"),
                    HasSubstr("x = -0.6"), HasSubstr("y = -0.8")));
}

TEST(Conditions, TooFewAreCountedAndNamed) {
  EXPECT_THAT(refusal(pendulum("", "", "x == -0.6")),
              AllOf(HasSubstr("1 condition for 2 states: 1 condition missing"), HasSubstr("at the end:")));
}

TEST(Conditions, WithoutFinalEquationsItIsNoBoundaryValueProblem) {
  EXPECT_THAT(refusal(from_text("model D Real x(start = 1, fixed = true); equation der(x) = -x; end D;")),
              HasSubstr("the model has no final equations"));
}

TEST(Conditions, OnWhatTheConstraintsDecideAreRefused) {
  // Position alone is decided by one condition; two of them say nothing of the velocity.
  EXPECT_THAT(refusal(pendulum("", "", "x == -0.6, y == -0.8")),
              AllOf(HasSubstr("cannot be imposed at the end"), HasSubstr("already decide it")));
  // The radius is what the constraint says.
  EXPECT_THAT(refusal(pendulum(", fixed = true", "", "x^2 + y^2 == 1")),
              AllOf(HasSubstr("x^2 + y^2 = 1 cannot be imposed at the end"), HasSubstr("already decide it")));
}

TEST(Conditions, OnDerivativesThatAreNotKnownAreRefused) {
  EXPECT_THAT(refusal(pendulum(", fixed = true", "", "der(lambda) == 0")),
              HasSubstr("contains der(lambda), which no equation determines"));
}

TEST(Conditions, OnVelocitiesAreImposed) {
  const Solution s = solve_boundary(pendulum(", fixed = true", "", "der(x) == -1"), {.stop = 0.5});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("der(x)"), -1.0, 1e-8);
  EXPECT_NEAR(s.value(0, *s.find("x")), 0.6, 1e-12);
}

TEST(Conditions, UnknownParametersGetAdvice) {
  EXPECT_THAT(refusal(from_text("model E\n parameter Real k(fixed = false) = 1;\n Real x(start = 0, fixed = true);\n"
                                "equation\n der(x) = k*x;\n annotation(__Driftless(finalEquations = {x == 1}));\n"
                                "end E;")),
              HasSubstr("der(k) = 0"));
}

// x'' + x = 0 over half a period with x = 0 and x = 1 at its ends has no solution.
TEST(Conditions, ThatContradictEachOtherAreNoSuccess) {
  const Model model = from_text(
      "model C Real x(start = 0, fixed = true); equation der(der(x)) = -x;\n"
      "annotation(experiment(StopTime = 3.141592653589793),\n"
      "__Driftless(finalEquations = {x == 1})); end C;");
  const Solution s = solve_boundary(model);
  EXPECT_EQ(s.outcome, Outcome::BoundaryUnsolved) << s.message;
  EXPECT_TRUE(s.times.empty());
}

// With x = 0 at both ends every multiple of the sine is a solution: none is claimed to be the one.
TEST(Conditions, ThatLeaveASolutionOpenAreNoSuccess) {
  const Model model = from_text(
      "model C Real x(start = 0, fixed = true); equation der(der(x)) = -x + sin(3*time);\n"
      "annotation(experiment(StopTime = 3.141592653589793),\n"
      "__Driftless(finalEquations = {x == 0})); end C;");
  const Solution s = solve_boundary(model);
  EXPECT_EQ(s.outcome, Outcome::BoundaryUnsolved) << s.message;
  EXPECT_THAT(s.details, ::testing::Contains(HasSubstr("determine the solution only weakly, if at all")));
}

// A solution beyond a pole: y' = y^2 from 1 has none at t = 1.
TEST(Conditions, AcrossAPoleAreNoSuccess) {
  const Model model = from_text(
      "model P Real y(start = 1, fixed = true), q; equation der(y) = y^2; der(q) = y;\n"
      "annotation(experiment(StopTime = 2), __Driftless(finalEquations = {q == 0})); end P;");
  const Solution s = solve_boundary(model);
  EXPECT_NE(s.outcome, Outcome::Success);
  EXPECT_TRUE(s.times.empty());
}

// z^2 = x has no solution where x is negative, and x must go there.
TEST(Conditions, WhereTheEquationsEndAreNoSuccess) {
  const Model model = from_text(
      "model Z Real x(start = 1, fixed = true), v(start = 0), z(start = 1); equation\n"
      "der(x) = v; der(v) = 0; z^2 = x;\n"
      "annotation(__Driftless(finalEquations = {x == -1})); end Z;");
  const Solution s = solve_boundary(model);
  EXPECT_EQ(s.outcome, Outcome::BoundaryUnsolved) << s.message;
  EXPECT_TRUE(s.times.empty());
}

// One state less than the structure promises, wherever the equations hold: two conditions would be one too many.
TEST(Conditions, OfAModelWhoseMatrixIsSingularWhereItsEquationsHoldAreRefused) {
  const Model model = from_text(
      "model S Real x(start = 1, fixed = true), y, m; equation\n"
      "der(x) = -x + (y - sin(time))*m; y + (2 + m)*(der(x) + x - (y - sin(time))*m) = sin(time); der(y) = m;\n"
      "annotation(__Driftless(finalEquations = {y == sin(1)})); end S;");
  EXPECT_THAT(refusal(model, {}), HasSubstr("promises more states (2) than there are where its equations hold (1)"));
}

TEST(Options, ThatMakeNoSenseAreRefused) {
  const Model bratu = shipped("bratu");
  EXPECT_THAT(refusal(bratu, {.stop = 0.0}), HasSubstr("needs an interval"));
  EXPECT_THAT(refusal(bratu, {.tolerance = 0.0}), HasSubstr("the tolerance 0 is not between"));
  EXPECT_THAT(refusal(bratu, {.mesh = 0}), HasSubstr("0 mesh intervals are not between"));
  EXPECT_THAT(refusal(bratu, {.intervals = 0}), HasSubstr("0 output intervals are not between"));
}

// Every output point satisfies the equations; a violated assertion is the outcome.
TEST(Delivery, HearsTheAssertionsOfTheModel) {
  const Model model = from_text(
      "model A Real x(start = 0, fixed = true); equation der(der(x)) = 0;\n"
      "assert(x < 0.5, \"x is large\");\n"
      "annotation(__Driftless(finalEquations = {x == 1})); end A;");
  const Solution s = solve_boundary(model);
  EXPECT_EQ(s.outcome, Outcome::AssertionViolated);
  EXPECT_THAT(s.message, HasSubstr("x is large"));
}

}  // namespace
}  // namespace driftless
