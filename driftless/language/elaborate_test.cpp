#include "driftless/language/elaborate.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

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

TEST(Elaborate, ModelIsFlatInTheUsersNames) {
  const Model model = read_clean(R"(
model Pendulum "planar"
  parameter Real L(unit = "m") = 2 "length";
  parameter Real m = 1.5;
  Real x(start = 0.5, fixed = true, nominal = 10, min = -3, max = 3, unit = "m") "right";
  Real y(stateSelect = StateSelect.avoid);
  Real F;
initial equation
  der(x) = 0;
equation
  m*der(der(x)) = -F*x/L;
  m*der(der(y)) = -F*y/L - m*9.81;
  x^2 + y^2 = L^2;
  annotation(experiment(StartTime = 1, StopTime = 2*L, Tolerance = 1e-8, Interval = 0.125), Icon(a = 1));
end Pendulum;)");
  EXPECT_EQ(model.name, "Pendulum");
  ASSERT_EQ(model.variables.size(), 3U);
  const Variable& x = model.variables[0];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.unit, "m");
  EXPECT_EQ(x.description, "right");
  EXPECT_EQ(x.start, 0.5);
  EXPECT_TRUE(x.fixed);
  EXPECT_EQ(x.nominal, 10);
  EXPECT_EQ(x.min, -3);
  EXPECT_EQ(x.max, 3);
  EXPECT_EQ(model.variables[1].state_select, StateSelect::Avoid);
  EXPECT_EQ(model.variables[1].start, std::nullopt);
  ASSERT_EQ(model.parameters.size(), 2U);
  EXPECT_EQ(model.parameters[0].name, "L");
  EXPECT_EQ(model.parameters[0].value, 2);
  EXPECT_EQ(model.parameters[0].unit, "m");
  EXPECT_EQ(model.parameters[0].description, "length");
  EXPECT_FALSE(model.parameters[0].structural);

  EXPECT_THAT(labels(model.equations), ElementsAre("line 11", "line 12", "line 13"));
  EXPECT_THAT(labels(model.initial_equations), ElementsAre("line 9"));
  EXPECT_EQ(model.equations[1].text, "m*der(der(y)) = -F*y/L - m*9.81");
  expect_residual(model, "line 12", [](const Point& p) {
    const double m = p.parameter("m"), L = p.parameter("L");
    return m * p.variable("y", 2) - (-p.variable("F") * p.variable("y") / L - m * 9.81);
  });
  expect_residual(model, "line 9", [](const Point& p) { return p.der("x"); });

  EXPECT_EQ(model.experiment.start, 1);
  EXPECT_EQ(model.experiment.stop, 4);
  EXPECT_EQ(model.experiment.tolerance, 1e-8);
  EXPECT_EQ(model.experiment.interval, 0.125);
}

TEST(Elaborate, ParametersMayBeDeclaredInAnyOrder) {
  const Model model = read_clean(R"(
model M
  parameter Real a = b + 1;
  parameter Real b = 2*c[2];
  parameter Real c[n] = {i^2 for i in 1:n};
  parameter Integer n = 3;
  parameter Boolean big = n > 2;
  parameter Real d = if big then 10 else 20;
  parameter Real s(start = 7);
  Real x = a;
end M;)");
  std::vector<std::pair<std::string, double>> values;
  for (const Parameter& parameter : model.parameters) values.emplace_back(parameter.name, parameter.value);
  EXPECT_THAT(values, ElementsAre(std::pair("a", 9.0), std::pair("b", 8.0), std::pair("c[1]", 1.0),
                                  std::pair("c[2]", 4.0), std::pair("c[3]", 9.0), std::pair("n", 3.0),
                                  std::pair("big", 1.0), std::pair("d", 10.0), std::pair("s", 7.0)));
  EXPECT_TRUE(model.parameters[5].structural);
  EXPECT_FALSE(model.parameters[0].structural);
}

TEST(Elaborate, LongChainsOfParametersNeedNoStack) {
  std::string text = "model M\n";
  constexpr int length = 20000;
  for (int k = 0; k < length; ++k)
    text += "parameter Real p" + std::to_string(k) + " = p" + std::to_string(k + 1) + " + 1;\n";
  text += "parameter Real p" + std::to_string(length) + " = 0;\nReal x = p0;\nend M;\n";
  const Model model = read_clean(text);
  ASSERT_EQ(model.parameters.size(), length + 1U);
  EXPECT_EQ(model.parameters[0].value, length);
}

TEST(Elaborate, RealParametersStayLeavesAndIntegersAreFolded) {
  const Model model = read_clean(R"(
model M
  parameter Real r = 2;
  parameter Integer n = 3;
  constant Real c = 5;
  parameter Real used = 4;
  Real x[integer(used)];
equation
  for i in 1:4 loop
    x[i] = r*n*c;
  end for;
end M;)");
  const Pool& pool = *model.pool;
  const auto has_parameter = [&](NodeId node, int id) {
    return any_node(pool, node, [&](NodeId leaf) {
      return pool[leaf].op == Op::Parameter && static_cast<int>(pool[leaf].a) == id;
    });
  };
  EXPECT_TRUE(has_parameter(model.equations[0].residual, 0));
  EXPECT_FALSE(has_parameter(model.equations[0].residual, 1));
  expect_residual(model, "line 10 [i=2]", [](const Point& p) { return p.variable("x[2]") - p.parameter("r") * 15; });
  EXPECT_FALSE(model.parameters[0].structural);
  EXPECT_TRUE(model.parameters[2].structural);  // it decides how many x there are
}

TEST(Elaborate, LabelsAreUniqueAndShort) {
  const Model model = read_clean(R"(model M
  Real a, b, c[2], d[2,2], e[3], f[4] = {1, 2, 3, 4}, g[2, 2, 2];
equation
  a = 1; b = 2;
  c = {1, 2};
  for i in 1:2, j in 1:2 loop
    d[i, j] = i + j;
  end for;
  for i in 1:1 loop e[1:2] = {i, 2}; e[3] = 0; end for;
  for i in 1:2 loop
    g[i, :, :] = [1, 2; 3, i];
  end for;
end M;)");
  EXPECT_THAT(labels(model.equations),
              ElementsAre("line 2 [1]", "line 2 [2]", "line 2 [3]", "line 2 [4]", "line 4", "line 4 (2)", "line 5 [1]",
                          "line 5 [2]", "line 7 [i=1,j=1]", "line 7 [i=1,j=2]", "line 7 [i=2,j=1]", "line 7 [i=2,j=2]",
                          "line 9 [i=1][1]", "line 9 [i=1][2]", "line 9 (2) [i=1]", "line 11 [i=1][1,1]",
                          "line 11 [i=1][1,2]", "line 11 [i=1][2,1]", "line 11 [i=1][2,2]", "line 11 [i=2][1,1]",
                          "line 11 [i=2][1,2]", "line 11 [i=2][2,1]", "line 11 [i=2][2,2]"));
  const Model twice = read_clean("model M Real x, y;\nequation\nfor i in {1, 1} loop x + y = i; end for; end M;");
  EXPECT_THAT(labels(twice.equations), ElementsAre("line 3 [i=1]", "line 3 [i=1] (2)"));
}

TEST(Elaborate, TypeSynonymsCarryAttributesAndSizes) {
  const Model model = read_clean(R"(
package P
  type Length = Real(unit = "m", min = 0);
  type Small = Length(max = 1, start = 0.5);
  type V3 = Small[3](each nominal = 0.1);
  model M
    V3 r[2](each start = 0.25);
    V3 s(start = {0.1, 0.2, 0.3});
    Modelica.Units.SI.Velocity v;
    Modelica.SIunits.Force f;
    Small q(max = 2);
  equation
    r = zeros(2, 3);
    s = ones(3);
    v = 1;
    f = 2;
    q = 3;
  end M;
end P;)");
  ASSERT_EQ(model.variables.size(), 12U);
  const Variable& r = model.variables[5];
  EXPECT_EQ(r.name, "r[2,3]");
  EXPECT_EQ(r.unit, "m");
  EXPECT_EQ(r.min, 0);
  EXPECT_EQ(r.max, 1);
  EXPECT_EQ(r.start, 0.25);
  EXPECT_EQ(r.nominal, 0.1);
  EXPECT_EQ(model.variables[7].start, 0.2);
  EXPECT_EQ(model.variables[9].unit, "m/s");
  EXPECT_EQ(model.variables[10].unit, "N");
  EXPECT_EQ(model.variables[11].max, 2);
  EXPECT_EQ(model.variables[11].start, 0.5);
}

TEST(Elaborate, NamesOfPackagesAndLibrary) {
  const Model model = read_clean(R"(
package P
  constant Real a = 2*Q.b;
  package Q
    constant Real b = 3;
    constant Integer n = 2;
    type Color = enumeration(red, green, blue);
  end Q;
  function twice
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end twice;
  model M
    import Modelica.Constants.*;
    import Modelica.Math.sin;
    import R = P.Q;
    parameter Q.Color c = Q.Color.green;
    Real x[R.n];
    Real y, z, w;
  equation
    x = {a, P.Q.b};
    y = twice(pi) + sin(time);
    z = Modelica.Math.exp(e) + .P.twice(Modelica.Constants.g_n);
    w = if c == Q.Color.green then 1 else 2;
  end M;
end P;)");
  EXPECT_EQ(model.name, "P.M");
  expect_residual(model, "line 23 [1]", [](const Point& p) { return p.variable("x[1]") - 6; });
  expect_residual(model, "line 24",
                  [](const Point& p) { return p.variable("y") - (2 * std::numbers::pi + std::sin(p.time())); });
  expect_residual(model, "line 25",
                  [](const Point& p) { return p.variable("z") - (std::exp(std::numbers::e) + 2 * 9.80665); });
  expect_residual(model, "line 26", [](const Point& p) { return p.variable("w") - 1; });
}

TEST(Elaborate, TheModelIsChosenByName) {
  const std::string text =
      "package P model A Real a = 1; end A; model B Real b = 1; end B; end P;"
      "model C Real c = 1; end C; model D Real d = 1; end D; function f input Real x; end f;";
  EXPECT_EQ(read_clean(text).name, "D");
  EXPECT_EQ(read_clean(text, {"C", {}}).name, "C");
  EXPECT_EQ(read_clean(text, {"P.A", {}}).name, "P.A");
  EXPECT_EQ(read_clean(text, {"B", {}}).name, "P.B");
  EXPECT_EQ(read(text, {"P.AA", {}}).messages(),
            "error: there is no model 'P.AA' in 'test.mo': did you mean 'P.A'?\n  available: P.A, P.B, C, D\n");
  EXPECT_EQ(read("package P end P;").messages(), "error: there is no model in 'test.mo'\n");
}

TEST(Elaborate, BaseModelicaNamesLoseTheirQuotes) {
  const Model model = read_clean(R"(//! base 0.1.0
package 'X'
  model 'X'
    parameter Real 'body.m' = 2;
    Real 'body.r[1]'(start = 1);
  equation
    der('body.r[1]') = 'body.m';
  end 'X';
end 'X';)",
                                 {"", {{"body.m", "4"}, {"body.r[1]", "7"}}});
  EXPECT_EQ(model.variables[0].name, "body.r[1]");
  EXPECT_EQ(model.variables[0].start, 7);
  EXPECT_EQ(model.parameters[0].name, "body.m");
  EXPECT_EQ(model.parameters[0].value, 4);
}

TEST(Elaborate, BaseModelicaNamesKeepTheirQuotesWhereTheyWouldMeanSomethingElse) {
  const Model model = read_clean(R"(//! base 0.1.0
package 'X'
  model 'X'
    Real x(start = 1), 'der(x)', 'x', 'a'[1], 'a[1]', 'time', 'b[1]';
  equation
    der(x) = -x;
    'der(x)' = 1;
    'x' = 2;
    'a'[1] = 3;
    'a[1]' = 4;
    'time' = 5;
    'b[1]' = 6;
  end 'X';
end 'X';)");
  std::vector<std::string> names;
  for (const Variable& variable : model.variables) names.push_back(variable.name);
  EXPECT_THAT(names, ::testing::ElementsAre("x", "'der(x)'", "'x'", "a[1]", "'a[1]'", "'time'", "b[1]"));
}

TEST(Elaborate, Overrides) {
  const std::string text = R"(
model M
  parameter Integer n = 2;
  parameter Real L = 1, twice = 2*L, a[n] = {i for i in 1:n};
  final parameter Real f = 1;
  constant Real c = 1;
  Real x[n](each start = 5), y(start = 1);
equation
  x = a;
  y = twice;
end M;)";
  const Model model = read_clean(
      text, {"", {{"n", "3"}, {"L", "2*n"}, {"a[2]", "-1"}, {"x", "{7, 8, 9}"}, {"x[3]", "4"}, {"y.start", "L"}}});
  ASSERT_EQ(model.variables.size(), 4U);
  EXPECT_EQ(model.parameters[1].value, 6);
  EXPECT_EQ(model.parameters[2].value, 12);
  EXPECT_EQ(model.parameters[4].value, -1);
  EXPECT_EQ(model.variables[0].start, 7);
  EXPECT_EQ(model.variables[2].start, 4);
  EXPECT_EQ(model.variables[3].start, 6);
  EXPECT_EQ(
      read(text, {"", {{"l", "2"}, {"c", "2"}, {"f", "2"}, {"L", "2 +"}, {"a[3]", "1"}, {"n", "2.5"}}}).messages(),
      "error: --override l=2: M has no parameter or variable 'l': did you mean 'L'?\n"
      "error: --override c=2: 'c' is a constant and cannot be changed\n  declared here\n"
      "error: --override f=2: 'f' is final and cannot be changed\n  declared here\n"
      "error: --override L=2 +: '2 +' is not a value\n"
      "2:1: error: the value of 'n' must be Integer, but this is Real\n");
}

}  // namespace
}  // namespace driftless
