// Parts of the language that models of other tools use: their meaning, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/language/read.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Read {
  std::optional<Model> model;
  std::string messages;
};

Read read(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  Read result{read_model_text("m.mo", text, {}, sources, diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all()) {
    result.messages += d.message + "\n";
    for (const Note& note : d.notes) result.messages += "  " + note.message + "\n";
  }
  return result;
}

double parameter(const Read& read, const std::string& name) {
  for (const Parameter& p : read.model->parameters)
    if (p.name == name) return p.value;
  ADD_FAILURE() << "no parameter " << name;
  return 0.0;
}

// The value of an expression of parameters.
double value(const std::string& declarations, const std::string& expression) {
  const Read made =
      read("model M " + declarations + " parameter Real result = " + expression + "; Real x = time; end M;");
  EXPECT_TRUE(made.model) << expression << "\n" << made.messages;
  return made.model ? parameter(made, "result") : std::nan("");
}

TEST(Items, ImportOfAllUnitsHidesNothing) {
  const Read made = read(R"(model M
  import Modelica.Units.SI.*;
  parameter Integer n = 2;
  parameter Length l = 3;
  Temperature T(start = 300);
equation
  der(T) = -n*sin(l)*max(T, 0);
end M;)");
  EXPECT_THAT(made.messages, IsEmpty());
  ASSERT_TRUE(made.model);
  EXPECT_EQ(made.model->variables[0].unit, "K");
}

TEST(Items, Conversions) {
  EXPECT_DOUBLE_EQ(value("", "Modelica.Units.Conversions.from_degC(20)"), 293.15);
  EXPECT_DOUBLE_EQ(value("import Modelica.Units.Conversions.*;", "to_degC(from_degF(212))"), 100.0);
  EXPECT_DOUBLE_EQ(value("import C = Modelica.SIunits.Conversions;", "C.from_rpm(30)"), 3.14159265358979312);
  EXPECT_DOUBLE_EQ(value("", "sum(Modelica.Units.Conversions.from_bar({1, 2}))"), 3e5);
}

TEST(Items, FunctionsWithoutAlgorithm) {
  const std::string f = "function f input Real u; output Real y = 2*u; end f;";
  EXPECT_EQ(value(f, "f(3)"), 6.0);
}

TEST(Items, ScalarFunctionsOnArrays) {
  const std::string f = "function f input Real u; input Real v = 1; output Real y; algorithm y := u^2 + v; end f;";
  EXPECT_EQ(value(f, "sum(f({1, 2, 3}))"), 17.0);
  EXPECT_EQ(value(f, "sum(f({1, 2}, {10, 20}))"), 35.0);
  EXPECT_EQ(value(f, "sum(f([1, 2; 3, 4], 1))"), 34.0);
  EXPECT_EQ(value(f, "size(f([1, 2; 3, 4; 5, 6]), 1)"), 3.0);
  EXPECT_EQ(value("", "sum(mod({5, 7}, 3))"), 3.0);
  EXPECT_EQ(value("", "sum(div({5, 7}, {2, 3}))"), 4.0);
}

TEST(Items, DerOfAParameterIsZero) {
  const Read made = read("model M parameter Real k = 2; Real x; equation x = der(k) + time; end M;");
  EXPECT_TRUE(made.model) << made.messages;
}

TEST(Items, EnumerationsAndBooleansCount) {
  const std::string color = "type Color = enumeration(red, green, blue);";
  EXPECT_EQ(value(color + "parameter Real a[Color] = {1, 2, 4};", "a[Color.green]"), 2.0);
  EXPECT_EQ(value(color + "parameter Real a[Color] = {1, 2, 4};", "sum(a[c] for c in Color)"), 7.0);
  EXPECT_EQ(value(color + "parameter Real a[Color] = {1, 2, 4};", "sum(a[Color.green:Color.blue])"), 6.0);
  EXPECT_EQ(value("parameter Real a[Boolean] = {3, 5};", "a[true] - a[false]"), 2.0);
  EXPECT_EQ(value(color, "Integer(Color.blue)"), 3.0);
  EXPECT_EQ(value(color, "sum(Integer(c) for c in Color.red:Color.blue)"), 6.0);
  EXPECT_THAT(
      read("model M " + color + " parameter Real a[3] = {1, 2, 4}; parameter Real b = a[Color.red]; end M;").messages,
      HasSubstr("a subscript must be Integer"));
  EXPECT_THAT(read("model M parameter Real a[2] = {1, 2}; parameter Real b = a[true]; end M;").messages,
              HasSubstr("a subscript must be Integer"));
}

TEST(Items, ArraysOfRankThreeAndEmptyOnes) {
  EXPECT_EQ(value("parameter Real a[1, 2, 3] = {{{1, 2, 3}, {4, 5, 6}}};", "(transpose(a))[2, 1, 3]"), 6.0);
  EXPECT_EQ(value("parameter Real a[3, 2] = fill({1, 2}, 3);", "sum(a)"), 9.0);
  EXPECT_EQ(value("parameter Real a[0];", "min(a)"), 1e60);
  EXPECT_EQ(value("parameter Real a[0];", "max(a)"), -1e60);
  EXPECT_EQ(value("", "max(i for i in 1:0)"), -2147483647.0);
}

TEST(Items, DefaultsOfParameters) {
  const Read made = read(R"(model M
  parameter Real a, b(min = 2), c(max = -1), d(start = 7);
  parameter Integer n;
  parameter Boolean on;
  parameter Real v[2];
  Real x = a + b + c + d + n + v[1] + (if on then 1 else 0) + time;
end M;)");
  ASSERT_TRUE(made.model) << made.messages;
  EXPECT_EQ(parameter(made, "a"), 0.0);
  EXPECT_EQ(parameter(made, "b"), 2.0);
  EXPECT_EQ(parameter(made, "c"), -1.0);
  EXPECT_EQ(parameter(made, "d"), 7.0);
  EXPECT_EQ(parameter(made, "v[2]"), 0.0);
  EXPECT_THAT(made.messages, HasSubstr("the parameter 'b' has no value: 2 is taken"));
  EXPECT_THAT(made.messages, testing::Not(HasSubstr("'d'")));
}

TEST(Items, PromisesAreKept) {
  const Read made = read("model M Real x; equation x = smooth(1, if time > 0 then time else 0); end M;");
  ASSERT_TRUE(made.model);
  ASSERT_EQ(made.model->smooth.size(), 1u);
  EXPECT_EQ(made.model->smooth[0].derivatives, 1);
}

TEST(Items, ExpansionEnds) {
  const std::string doubling = R"(function f0 input Real x; output Real y; algorithm y := x; end f0;
)";
  std::string functions = doubling;
  for (int k = 1; k <= 40; ++k)
    functions += "function f" + std::to_string(k) + " input Real x; output Real y; algorithm y := f" +
                 std::to_string(k - 1) + "(x) + f" + std::to_string(k - 1) + "(2*x); end f" + std::to_string(k) + ";\n";
  EXPECT_THAT(read(functions + "model M Real x = f40(time); end M;").messages, HasSubstr("steps to expand"));
}

TEST(Items, ThousandsOfUnknownNamesEnd) {
  std::string sum = "0";
  for (int k = 0; k < 50000; ++k) sum += " + a" + std::to_string(k);
  const Read made = read("model M Real x = " + sum + "; end M;");
  EXPECT_THAT(made.messages, HasSubstr("more than 100 mistakes"));
}

TEST(Items, NestingEndsWithAMessage) {
  const auto nested = [](int depth) {
    return "model M Real x = " + std::string(static_cast<std::size_t>(depth), '(') + "time" +
           std::string(static_cast<std::size_t>(depth), ')') + "; end M;";
  };
  EXPECT_TRUE(read(nested(100)).model);
  EXPECT_THAT(read(nested(100000)).messages, HasSubstr("nested more than 256 levels deep"));
}

}  // namespace
}  // namespace driftless
