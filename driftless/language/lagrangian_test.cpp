#include <gmock/gmock.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::expect_residual;
using ::testing::HasSubstr;
using testing::labels;
using testing::Point;
using testing::read;
using testing::read_clean;

// Four lines of declarations; the annotation stands on line 6.
std::string text_with(const std::string& settings) {
  return "model M\n  parameter Real m = 1, g = 1, L = 1, c = 1;\n  Real x, y, force;\n  Real q[3];\n\n  "
         "annotation(__Driftless(" +
         settings + "));\nend M;";
}

Model model_with(const std::string& settings) { return read_clean(text_with(settings)); }

std::string messages(const std::string& settings) { return read(text_with(settings)).messages(); }

std::vector<std::string> texts(const Model& model) {
  std::vector<std::string> list;
  for (const Equation& equation : model.equations) list.push_back(equation.label + ": " + equation.text);
  return list;
}

const std::string free_fall = "lagrangian = m*(der(x)^2 + der(y)^2)/2 - m*g*y, coordinates = {x, y}";

TEST(LagrangianOfText, PendulumHasItsEquationsAndAMultiplier) {
  const Model model = model_with(free_fall + ", constraints = {x^2 + y^2 == L^2}");
  EXPECT_THAT(labels(model.equations), ElementsAre("line 6 [x]", "line 6 [y]", "line 6 (2)"));
  EXPECT_EQ(model.equations[2].text, "x^2 + y^2 = L^2");
  ASSERT_EQ(model.variables.size(), 7u);
  EXPECT_EQ(model.variables[6].name, "lambda[1]");
  EXPECT_EQ(model.variables[6].description, "multiplier of x^2 + y^2 = L^2");
  EXPECT_EQ(model.sources->line_of(model.equations[0].range), 6);
  const auto motion = [](const char* name, double weight) {
    return [=](const Point& at) {
      return at.parameter("m") * at.variable(name, 2) + weight * at.parameter("m") * at.parameter("g") +
             2 * at.variable(name) * at.variable("lambda[1]");
    };
  };
  expect_residual(model, "line 6 [x]", motion("x", 0.0), true);
  expect_residual(model, "line 6 [y]", motion("y", 1.0), true);
  expect_residual(model, "line 6 (2)", [](const Point& at) {
    const double x = at.variable("x"), y = at.variable("y"), L = at.parameter("L");
    return x * x + y * y - L * L;
  });
}

TEST(LagrangianOfText, EquationsAreReadable) {
  EXPECT_THAT(texts(model_with("lagrangian = m*der(x)^2/2, coordinates = {x}, forces = {-c*der(x)}")),
              ElementsAre("line 6 [x]: m*der(der(x)) = -c*der(x)"));
}

// Coriolis and centrifugal forces of polar coordinates.
TEST(LagrangianOfText, MassesThatMoveGiveGyroscopicForces) {
  const Model model = model_with("lagrangian = m*(der(x)^2 + x^2*der(y)^2)/2, coordinates = {x, y}");
  expect_residual(
      model, "line 6 [x]",
      [](const Point& at) {
        return at.parameter("m") * (at.variable("x", 2) - at.variable("x") * at.der("y") * at.der("y"));
      },
      true);
  expect_residual(
      model, "line 6 [y]",
      [](const Point& at) {
        const double x = at.variable("x");
        return at.parameter("m") * (x * x * at.variable("y", 2) + 2 * x * at.der("x") * at.der("y"));
      },
      true);
}

// L = m v²/2 + c (x y' - y x')/2: a charge in a magnetic field turns, m x'' = c y'. And time may occur: the mass that
// grows with time resists by m' v.
TEST(LagrangianOfText, VelocitiesAndTimeMayOccurInAnyForm) {
  const Model magnetic =
      model_with("lagrangian = m*(der(x)^2 + der(y)^2)/2 + c*(x*der(y) - y*der(x))/2, coordinates = {x, y}");
  expect_residual(
      magnetic, "line 6 [x]",
      [](const Point& at) { return at.parameter("m") * at.variable("x", 2) - at.parameter("c") * at.der("y"); }, true);
  const Model growing = model_with("lagrangian = exp(c*time)*der(x)^2/2, coordinates = {x}");
  expect_residual(growing, "line 6 [x]", [](const Point& at) {
    return std::exp(at.parameter("c") * at.time()) * (at.variable("x", 2) + at.parameter("c") * at.der("x"));
  });
}

TEST(LagrangianOfText, NonholonomicConstraintActsAlongItsVelocities) {
  const Model model = model_with(
      "lagrangian = (der(q)*der(q))/2, coordinates = q, constraints = {der(q[1])*sin(q[3]) - der(q[2])*cos(q[3])}");
  expect_residual(
      model, "line 6 [q[1]]",
      [](const Point& at) { return at.variable("q[1]", 2) + std::sin(at.variable("q[3]")) * at.variable("lambda[1]"); },
      true);
  expect_residual(
      model, "line 6 [q[3]]", [](const Point& at) { return at.variable("q[3]", 2); }, true);
  EXPECT_TRUE(model.invariants.empty());
}

TEST(LagrangianOfText, MultipliersMayBeDeclared) {
  const Model model = model_with(free_fall + ", constraints = {x^2 + y^2 - L^2}, multipliers = {force}");
  EXPECT_EQ(model.variables.size(), 6u);
  expect_residual(model, "line 6 [x]", [](const Point& at) {
    return at.parameter("m") * at.variable("x", 2) + 2 * at.variable("x") * at.variable("force");
  });
}

TEST(LagrangianOfText, ConstraintsMayBeArraysAndLoops) {
  const std::string energy = "lagrangian = der(q)*der(q)/2, coordinates = q, constraints = ";
  for (const char* list : {"{q[1] - q[2], q[2] - q[3]}", "{q[i] == q[i + 1] for i in 1:2}", "q[1:2] - q[2:3]",
                           "{q[1:2] == q[2:3]}", "q[1:2] == q[2:3]"}) {
    const Model model = model_with(energy + list);
    ASSERT_EQ(model.equations.size(), 5u) << list;
    EXPECT_EQ(model.variables.back().name, "lambda[2]") << list;
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Point at(model, seed);
      EXPECT_DOUBLE_EQ(at(model.equations[3].residual), at.variable("q[1]") - at.variable("q[2]")) << list;
      EXPECT_DOUBLE_EQ(at(model.equations[4].residual), at.variable("q[2]") - at.variable("q[3]")) << list;
    }
  }
}

TEST(LagrangianOfText, EnergyIsAnInvariantIfItIsConstant) {
  const Model model = model_with(free_fall + ", constraints = {x^2 + y^2 == L^2}");
  ASSERT_EQ(model.invariants.size(), 1u);
  EXPECT_EQ(model.invariants[0].name, "energy");
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const Point at(model, seed);
    const double m = at.parameter("m"), vx = at.der("x"), vy = at.der("y");
    EXPECT_NEAR(at(model.invariants[0].value), m * (vx * vx + vy * vy) / 2 + m * at.parameter("g") * at.variable("y"),
                1e-13);
  }
  EXPECT_TRUE(model_with(free_fall + ", forces = {-der(x), 0}").invariants.empty());
  EXPECT_TRUE(model_with(free_fall + ", constraints = {x - sin(time)}").invariants.empty());
  EXPECT_TRUE(model_with("lagrangian = exp(time)*der(x)^2, coordinates = {x}").invariants.empty());
  const Model own = model_with(free_fall + ", invariants(energy = m*der(x))");
  ASSERT_EQ(own.invariants.size(), 1u) << "what the author calls the energy stays";
  EXPECT_EQ(to_string(*own.pool, own.invariants[0].value, names_of(own)), "m*der(x)");
}

TEST(LagrangianOfText, ForcesMayDependOnAnything) {
  EXPECT_EQ(messages(free_fall + ", forces = {force*time - der(q[1]), 0}"), "");
}

TEST(LagrangianOfText, MistakesAreNamed) {
  EXPECT_THAT(messages("constraints = {x}"), HasSubstr("constraints is given without lagrangian"));
  EXPECT_THAT(messages("lagrangian(a = 1), coordinates = {x}"), HasSubstr("write lagrangian = expression"));
  EXPECT_THAT(messages("lagrangian = {der(x)^2}, coordinates = {x}"), HasSubstr("one number, but this is [1]"));
  EXPECT_THAT(messages("lagrangian = der(x)^2 > 1, coordinates = {x}"), HasSubstr("one number, but this is Boolean"));
  EXPECT_THAT(messages("lagrangian = der(x)^2, coordinates = {x, x}"), HasSubstr("'x' is listed twice"));
  EXPECT_THAT(messages("lagrangian = der(x)^2, coordinates = {der(x)}"), HasSubstr("der(x) is no variable"));
  EXPECT_THAT(messages("lagrangian = der(x)^2, coordinates = {x > 0}"), HasSubstr("coordinates must be numbers"));
  EXPECT_THAT(messages(free_fall + ", constraints = {der(der(x))}"), HasSubstr("this constraint contains der(der(x))"));
  EXPECT_THAT(messages(free_fall + ", constraints = {x - y}, multipliers = {x}"), HasSubstr("is a coordinate"));
  EXPECT_THAT(messages(free_fall + ", constraints = {x - y}, multiplier = {force}"),
              HasSubstr("no setting 'multiplier': did you mean 'multipliers'?"));
  EXPECT_THAT(messages("lagrangian = der(x)^2 - x*q[2], coordinates = {x}"),
              HasSubstr("the lagrangian contains 'q[2]', which is not one of the coordinates"));
}

}  // namespace
}  // namespace driftless
