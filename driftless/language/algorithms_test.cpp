#include "driftless/language/algorithms.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::expect_residual;
using testing::labels;
using testing::Point;
using testing::read;
using testing::read_clean;

Model with_section(const std::string& declarations, const std::string& statements, const std::string& more = "") {
  return read_clean("model M\n" + declarations + "\nalgorithm\n" + statements + "\n" + more + "\nend M;");
}

TEST(Algorithms, AssignmentsInOrderAreOneEquationForEachVariable) {
  const Model model = with_section("Real x, y, z;", "y := 2*x;\nz := y + 1;\ny := y*z;", "equation x = time;");
  EXPECT_THAT(labels(model.equations), ElementsAre("line 7", "line 6", "line 5"));
  expect_residual(model, "line 6", [](const Point& p) {
    const double x = p.variable("x"), y = 2 * x;
    return p.variable("y") - y * (y + 1);
  });
  expect_residual(model, "line 5", [](const Point& p) { return p.variable("z") - (2 * p.variable("x") + 1); });
  EXPECT_EQ(model.equations[1].text, "y := y*z");
}

TEST(Algorithms, BranchesAndLoopsAreExecuted) {
  const Model model = with_section("parameter Integer n = 4; Real x, y, s;",
                                   R"(s := 0;
for i in 1:n loop
  s := s + i*x^i;
end for;
if x > 1 then
  y := s;
elseif x < 0 then
  y := -1;
else
  y := 2*s;
end if;)",
                                   "equation x = time;");
  const auto sum = [](double x) { return x + 2 * x * x + 3 * x * x * x + 4 * x * x * x * x; };
  expect_residual(
      model, "line 6", [&](const Point& p) { return p.variable("s") - sum(p.variable("x")); }, true);
  expect_residual(
      model, "line 13",
      [&](const Point& p) {
        const double x = p.variable("x");
        return p.variable("y") - (x > 1 ? sum(x) : x < 0 ? -1 : 2 * sum(x));
      },
      true);
}

TEST(Algorithms, TuplesAndArrays) {
  const Model model = with_section(
      "function f input Real x; output Real a = 2*x; output Real b[2] = {x, x^2}; end f;\n"
      "Real x, a, b[2], c[3];",
      "(a, b) := f(x);\nc[2:3] := 3*b;\nc[1] := a;", "equation x = time;");
  EXPECT_THAT(labels(model.equations),
              ElementsAre("line 8", "line 5", "line 5 [1]", "line 5 [2]", "line 7 [1]", "line 6 [2]", "line 6 [3]"));
  expect_residual(model, "line 6 [3]", [](const Point& p) {
    const double x = p.variable("x");
    return p.variable("c[3]") - 3 * x * x;
  });
  expect_residual(model, "line 7 [1]", [](const Point& p) { return p.variable("c[1]") - 2 * p.variable("x"); });
}

// An element that no statement assigns keeps its own equation.
TEST(Algorithms, ElementsThatAreNotAssignedHaveNoEquation) {
  const Model model = with_section("Real c[2], x;", "c[2] := x;", "equation x = time; c[1] = 2*x;");
  EXPECT_THAT(labels(model.equations), ElementsAre("line 5", "line 5 (2)", "line 4 [2]"));
}

TEST(Algorithms, StartsAreTheValuesBefore) {
  const Model model = with_section("parameter Real p = 3; Real x, y(start = 2), z(start = 2*p);",
                                   "y := y + x;\nif x > 1 then\n  z := x;\nend if;", "equation x = time;");
  expect_residual(model, "line 4", [](const Point& p) { return p.variable("y") - (2 + p.variable("x")); });
  expect_residual(
      model, "line 6",
      [](const Point& p) {
        const double x = p.variable("x");
        return p.variable("z") - (x > 1 ? x : 2 * p.parameter("p"));
      },
      true);
}

TEST(Algorithms, AStartThatIsNotGivenIsZeroWithAWarning) {
  const auto result = read("model M\nReal x, y;\nalgorithm\ny := y + x;\nequation\nx = time;\nend M;");
  EXPECT_EQ(result.messages(),
            "4:1: warning: 'y' is not assigned on every way to this place, and has no start: 0 is taken\n");
  ASSERT_TRUE(result.model);
  expect_residual(*result.model, "line 4", [](const Point& p) { return p.variable("y") - p.variable("x"); });
}

TEST(Algorithms, DerivativesAreThoseOfTheAssignedValues) {
  const Model model = with_section("Real x, y, v;", "y := x^2;\nv := der(y);", "equation x = time;");
  expect_residual(model, "line 5", [](const Point& p) { return p.variable("v") - 2 * p.variable("x") * p.der("x"); });
}

// Newton's iteration for a square root; what follows the loop are expressions of its result.
TEST(Algorithms, ALoopWhoseTurnsDependOnValuesIsAProgram) {
  const Model model = with_section("parameter Real tolerance = 1e-14; Real a, root, step, twice, k[2];",
                                   R"(k := {a, 1};
root := 1 + a;
step := 1;
while abs(step) > tolerance*root loop
  step := (root^2 - k[1])/(2*root);
  root := root - k[2]*step;
end while;
twice := 2*root + time;)",
                                   "equation a = time;");
  const auto value_of = [&](const std::string& label, double a, double t) {
    const Pool& pool = *model.pool;
    for (const Equation& equation : model.equations)
      if (equation.label == label)
        return -evaluate(pool, equation.residual, [&](NodeId leaf) {
          const Node& node = pool[leaf];
          if (node.op == Op::Time) return t;
          if (node.op == Op::Parameter) return model.parameters[node.a].value;
          return model.variables[node.a].name == "a" ? a : 0.0;
        });
    ADD_FAILURE() << "no equation " << label;
    return 0.0;
  };
  for (const double a : {0.25, 2.0, 9.0}) {
    EXPECT_NEAR(value_of("line 7", a, 5.0), std::sqrt(a), 1e-13);
    EXPECT_NEAR(value_of("line 11", a, 5.0), 2 * std::sqrt(a) + 5.0, 1e-13);
  }
  EXPECT_EQ(model.equations.size(), 5u + 1u);
}

TEST(Algorithms, AssertionsHoldWhereTheyAreReached) {
  const Model model = with_section("Real x, y;", "y := x;\nif x > 1 then\n  assert(y < 2, \"too large\");\nend if;",
                                   "equation x = time;");
  ASSERT_EQ(model.assertions.size(), 1u);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Point p(model, seed, true);
    const double x = p.variable("x");
    EXPECT_EQ(p(model.assertions[0].condition) != 0.0, !(x > 1) || x < 2);
  }
}

TEST(Algorithms, AssertionsOfFunctionsHoldInTheBranchThatCallsThem) {
  const Model model = testing::read_clean(
      "function f input Real x; output Real y; algorithm assert(x < 2, \"too large\"); y := x; end f;\n"
      "model M Real x = time; Real y = if x < 0 then 0 elseif x > 1 then f(x) else f(3*x); end M;");
  ASSERT_EQ(model.assertions.size(), 2u);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Point p(model, seed, true);
    const double x = p.variable("x");
    EXPECT_EQ(p(model.assertions[0].condition) != 0.0, !(x > 1) || x < 2);
    EXPECT_EQ(p(model.assertions[1].condition) != 0.0, x < 0 || x > 1 || 3 * x < 2);
  }
}

TEST(Algorithms, InitialSectionsGiveInitialEquations) {
  const Model model = read_clean(R"(model M
  parameter Real p(fixed = false);
  Real x, y(start = 3);
initial algorithm
  p := y + 1;
  x := 2*p;
equation
  der(x) = -p*x;
  der(y) = x;
end M;)");
  EXPECT_THAT(labels(model.initial_equations), ElementsAre("line 5", "line 6"));
  expect_residual(model, "line 5", [](const Point& p) { return p.parameter("p") - (p.variable("y") + 1); });
  expect_residual(model, "line 6", [](const Point& p) { return p.variable("x") - 2 * (p.variable("y") + 1); });
}

TEST(Algorithms, Mistakes) {
  const auto messages = [](const std::string& statements) {
    return read("model M\nparameter Real p = 1; constant Real c = 2; Real x(start = 1), y;\nalgorithm\n" + statements +
                "\nequation\nder(x) = y;\nend M;")
        .messages();
  };
  EXPECT_EQ(messages("p := 1;"), "4:1: error: 'p' is a parameter and cannot be assigned\n");
  EXPECT_EQ(messages("c := 1;"), "4:1: error: 'c' is a constant and cannot be assigned\n");
  EXPECT_EQ(messages("yy := 1;"), "4:1: error: 'yy' is not a variable of M: did you mean 'y'?\n");
  EXPECT_EQ(messages("y := {1, 2};"), "4:6: error: the value is [2], but its target is a scalar\n");
  EXPECT_EQ(messages("y := x > 1;"), "4:6: error: the value of 'y' must be Real, but this is Boolean\n");
  EXPECT_EQ(messages("return;"), "4:1: error: 'return' stands outside of a function\n");
  EXPECT_EQ(messages("break;"), "4:1: error: 'break' stands outside of a loop\n");
  EXPECT_EQ(messages("for i in 1:2 loop i := 3; end for;"), "4:19: error: 'i' is not a variable of M\n");
  EXPECT_EQ(messages("y := 1;\nwhile x > y loop\n  y := y + 1;\n  when x > 1 then y := 2; end when;\nend while;"),
            "7:3: error: 'when' is not allowed in a loop whose turns depend on values of the run\n");
}

}  // namespace
}  // namespace driftless
