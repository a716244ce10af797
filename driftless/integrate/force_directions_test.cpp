// Formulations that weight the directions of forces with the mass matrix do not depend on the coordinates, and need no
// mass matrix that is regular by itself.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/formulate/shape.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using formulation::Ggl;
using formulation::Index1;
using formulation::Mass;
using formulation::StabilizedIndex1;
using formulation::Transpose;
using samples::fitted_order;
using samples::from_text;
using samples::run_to;
using samples::SampleProblem;

// ---- directions of forces do not depend on the coordinates

// The pendulum, and the same in the coordinates a, b with x = 2a + b, y = b.
const char* plain = R"(
  model Plain
    Real x(start = 0.6, fixed = true), y(start = -0.8), lambda;
  initial equation
    der(x) = 0.8;
  equation
    der(der(x)) = -2*lambda*x;
    der(der(y)) = -2*lambda*y - 1;
    x^2 + y^2 = 1;
  end Plain;)";
const char* oblique = R"(
  model Oblique
    Real a(start = 0.7), b(start = -0.8), x = 2*a + b, y = b, lambda;
  initial equation
    2*a + b = 0.6;
    2*der(a) + der(b) = 0.8;
  equation
    4*der(der(a)) + 2*der(der(b)) = -2*lambda*2*x;
    2*der(der(a)) + 2*der(der(b)) = -2*lambda*(x + y) - 1;
    (2*a + b)^2 + b^2 = 1;
  end Oblique;)";

double end_of_run(const char* text, const Formulation& formulation, const Method& method, double step) {
  SampleProblem sample(from_text(text), formulation);
  const auto stepper = make_stepper(method, sample.problem, sample.start, {.stop = 1.0, .step = step});
  const StepReport report = run_to(*stepper, 1.0 - 1e-9);
  EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
  return sample(*stepper, "x");
}

TEST(WeightedGgl, IsInvariantUnderAffineCoordinates) {
  const auto difference = [](const Formulation& formulation) {
    return std::abs(end_of_run(plain, formulation, method::ConstantBdf{1}, 0.02) -
                    end_of_run(oblique, formulation, method::ConstantBdf{1}, 0.02));
  };
  EXPECT_LE(difference(Ggl{Mass{}}), 1e-12);
  EXPECT_GE(difference(Ggl{Transpose{}}), 1e-4) << "negative control: gradients are no vectors";
  EXPECT_LE(difference(StabilizedIndex1{Mass{}}), 1e-12);
  EXPECT_GE(difference(StabilizedIndex1{Transpose{}}), 1e-4);
}

// x after every step.
std::vector<double> path(const char* text, const Formulation& formulation, const Method& method, double step) {
  SampleProblem sample(from_text(text), formulation);
  const auto stepper = make_stepper(method, sample.problem, sample.start, {.stop = 1.0, .step = step});
  std::vector<double> x;
  while (stepper->time() < 1.0 - 1e-9) {
    const StepReport report = stepper->step();
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    if (report.outcome != Outcome::Success) break;
    x.push_back(sample(*stepper, "x"));
  }
  return x;
}

TEST(WeightedGgl, ConvergesWithTheOrderOfTheFormulaLikeTheOther) {
  const std::vector<double> steps{0.02, 0.01, 0.005};
  for (const Formulation& formulation : {Formulation(Ggl{}), Formulation(Ggl{Mass{}})})
    for (const int order : {1, 2}) {
      SCOPED_TRACE(to_string(formulation) + ", BDF " + std::to_string(order));
      std::vector<double> errors;
      for (const double step : steps) {
        const auto exact = path(plain, Index1{}, method::Radau{.stages = 3}, step),
                   computed = path(oblique, formulation, method::ConstantBdf{order}, step);
        ASSERT_EQ(exact.size(), computed.size());
        errors.push_back(0.0);
        for (std::size_t k = 0; k < exact.size(); ++k)
          errors.back() = std::max(errors.back(), std::abs(exact[k] - computed[k]));
      }
      EXPECT_NEAR(fitted_order(steps, errors), order, 0.15);
    }
}

// ---- a singular mass matrix

// T = (x' + y')²/2 and U = x²/2 with x = sin y: M = [1 1; 1 1] is singular, but not on the tangents (cos y, 1).
const char* massless_direction = R"(
  model MasslessDirection
    Real x(start = 0.5), y(start = 0.5, fixed = true), lambda;
  initial equation
    der(y) = 1;
  equation
    der(der(x)) + der(der(y)) = -x - lambda;
    der(der(x)) + der(der(y)) = lambda*cos(y);
    x - sin(y) = 0;
  end MasslessDirection;)";
// The same motion: (1 + cos y)² y'' = sin y (1 + cos y) y'² - sin y cos y.
const char* one_coordinate = R"(
  model OneCoordinate
    Real y(start = 0.5, fixed = true), w(start = 1, fixed = true), x = sin(y);
  equation
    der(y) = w;
    der(w) = sin(y)*w^2/(1 + cos(y)) - sin(y)*cos(y)/(1 + cos(y))^2;
  end OneCoordinate;)";

TEST(SingularMass, IsNoObstacleWhereTheSaddleMatrixIsRegular) {
  const auto base = samples::reduced(from_text(massless_direction), {.keep_constraints = true});
  const auto shape = mechanical_shape(*base);
  ASSERT_TRUE(shape) << shape.why_not;
  EXPECT_FALSE(shape->regular_mass);
  const double exact = end_of_run(one_coordinate, Index1{}, method::Radau{.stages = 3}, 0.005);
  for (const char* name : {"index1", "baumgarte", "pa", "pb", "pc", "stabilized-index1", "index2", "ggl"}) {
    SCOPED_TRACE(name);
    EXPECT_NEAR(end_of_run(massless_direction, *parse_formulation(name), method::Radau{.stages = 3}, 0.005), exact,
                1e-9);
  }
  EXPECT_EQ(not_applicable(*base, Ggl{Mass{}}).value_or(""), "ggl:D=mass does not apply: the mass matrix is singular");
}

}  // namespace
}  // namespace driftless
