#include "driftless/model/builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

std::string text_of(const Model& model, NodeId e) { return to_string(*model.pool, e, names_of(model)); }

std::string reasons(const ModelBuilder& m) {
  try {
    m.build();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

Model pendulum() {
  ModelBuilder m("Pendulum");
  auto L = m.parameter("L", 1.0, {.unit = "m", .description = "length of the rod"});
  auto g = m.parameter("g", 9.81);
  auto x = m.variable("x", {.start = 1.0, .fixed = true});
  auto y = m.variable("y", {.start = 0.0});
  auto lambda = m.variable("lambda", {.nominal = 10.0});
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y - g);
  m.equation(x * x + y * y == L * L, "rod");
  m.initial_equation(der(x) == 0.0);
  m.experiment({.stop = 10.0});
  return m.build();
}

TEST(ModelBuilder, Pendulum) {
  const Model model = pendulum();
  EXPECT_EQ(model.name, "Pendulum");
  ASSERT_EQ(model.variables.size(), 3u);
  EXPECT_EQ(model[VarId{0}].start, 1.0);
  EXPECT_TRUE(model[VarId{0}].fixed);
  EXPECT_FALSE(model[VarId{2}].start.has_value());
  EXPECT_EQ(model[VarId{2}].nominal, 10.0);
  EXPECT_EQ(model[ParamId{1}].value, 9.81);
  EXPECT_EQ(model[ParamId{0}].unit, "m");
  ASSERT_EQ(model.equations.size(), 3u);
  EXPECT_EQ(model[EqnId{0}].label, "equation 1");
  EXPECT_EQ(model[EqnId{0}].text, "der(der(x)) = -lambda*x");
  EXPECT_EQ(model[EqnId{1}].text, "der(der(y)) = -lambda*y - g");
  EXPECT_EQ(model[EqnId{2}].label, "rod");
  EXPECT_EQ(text_of(model, model[EqnId{2}].residual), "x*x + y*y - L*L");
  ASSERT_EQ(model.initial_equations.size(), 1u);
  EXPECT_EQ(model.initial_equations[0].label, "initial equation 1");
  EXPECT_EQ(model.initial_equations[0].text, "der(x) = 0");
  EXPECT_EQ(model.experiment.stop, 10.0);
}

TEST(ModelBuilder, TheModelOutlivesItsBuilder) {
  const Model model = pendulum();
  TimeDerivative ddt(*model.pool);
  EXPECT_EQ(text_of(model, ddt(model[EqnId{2}].residual)), "2*(x*der(x)) + 2*(y*der(y))");
}

TEST(Expr, EveryFunctionMeansWhatTheStandardLibraryMeans) {
  ModelBuilder m("f");
  const Expr x = m.variable("x");
  const Expr y = m.variable("y");
  const double a = 0.4, b = 1.7;
  Pool& pool = *m.build().pool;
  const auto value = [&](Expr e) {
    return evaluate(pool, e.node_in(pool), [&](NodeId leaf) { return pool[leaf].a == 0 ? a : b; });
  };
  EXPECT_DOUBLE_EQ(value(+x + y), a + b);
  EXPECT_DOUBLE_EQ(value(x - y), a - b);
  EXPECT_DOUBLE_EQ(value(x * y), a * b);
  EXPECT_DOUBLE_EQ(value(x / y), a / b);
  EXPECT_DOUBLE_EQ(value(-x), -a);
  EXPECT_DOUBLE_EQ(value(2 * x + 1), 2 * a + 1);
  EXPECT_DOUBLE_EQ(value(pow(x, y)), std::pow(a, b));
  EXPECT_DOUBLE_EQ(value(pow(x, 3)), std::pow(a, 3));
  EXPECT_DOUBLE_EQ(value(sqrt(x)), std::sqrt(a));
  EXPECT_DOUBLE_EQ(value(exp(x)), std::exp(a));
  EXPECT_DOUBLE_EQ(value(log(x)), std::log(a));
  EXPECT_DOUBLE_EQ(value(log10(x)), std::log10(a));
  EXPECT_DOUBLE_EQ(value(sin(x)), std::sin(a));
  EXPECT_DOUBLE_EQ(value(cos(x)), std::cos(a));
  EXPECT_DOUBLE_EQ(value(tan(x)), std::tan(a));
  EXPECT_DOUBLE_EQ(value(asin(x)), std::asin(a));
  EXPECT_DOUBLE_EQ(value(acos(x)), std::acos(a));
  EXPECT_DOUBLE_EQ(value(atan(x)), std::atan(a));
  EXPECT_DOUBLE_EQ(value(atan2(x, y)), std::atan2(a, b));
  EXPECT_DOUBLE_EQ(value(sinh(x)), std::sinh(a));
  EXPECT_DOUBLE_EQ(value(cosh(x)), std::cosh(a));
  EXPECT_DOUBLE_EQ(value(tanh(x)), std::tanh(a));
  EXPECT_DOUBLE_EQ(value(asinh(x)), std::asinh(a));
  EXPECT_DOUBLE_EQ(value(acosh(y)), std::acosh(b));
  EXPECT_DOUBLE_EQ(value(atanh(x)), std::atanh(a));
  EXPECT_DOUBLE_EQ(value(abs(-x)), a);
  EXPECT_DOUBLE_EQ(value(sign(-x)), -1);
  EXPECT_DOUBLE_EQ(value(min(x, y)), a);
  EXPECT_DOUBLE_EQ(value(max(x, y)), b);
  EXPECT_DOUBLE_EQ(value(floor(y)), 1);
  EXPECT_DOUBLE_EQ(value(ceil(x)), 1);
  EXPECT_DOUBLE_EQ(value(if_else(x < y, x, y)), a);
  EXPECT_DOUBLE_EQ(value(if_else(x > y || x >= y, x, y)), b);
  EXPECT_DOUBLE_EQ(value(if_else(!(x <= y) && x < y, x, 5)), 5);
  Expr sum = 0;
  sum += x;
  sum *= 2;
  sum -= y;
  sum /= 2;
  EXPECT_DOUBLE_EQ(value(sum), (2 * a - b) / 2);
}

TEST(Expr, DerivativeOfExpressions) {
  ModelBuilder m("f");
  const Expr x = m.variable("x");
  m.equation(der(sin(x)) == der(m.time()) + der(Expr(3.0)));
  EXPECT_EQ(m.build().equations[0].text, "cos(x)*der(x) = 1");
}

TEST(Expr, NumbersStayNumbersUntilTheyMeetAModel) {
  const Expr number = Expr(2) * sin(Expr(0)) + max(Expr(3), 4);
  EXPECT_EQ(number.pool(), nullptr);
  Pool pool;
  EXPECT_EQ(pool.constant_value(number.node_in(pool)), 4);
}

TEST(Expr, AnEquationIsNoCondition) {
  EXPECT_FALSE((std::is_convertible_v<EquationSides, bool>));
  EXPECT_FALSE((std::is_convertible_v<EquationSides, Expr>));
}

TEST(ModelBuilder, NamesMustBeUnique) {
  ModelBuilder m("f");
  m.variable("x");
  m.parameter("x", 1.0);
  EXPECT_EQ(reasons(m), "error D0202: the parameter x has the name of an earlier variable\n");
}

TEST(ModelBuilder, LabelsMustBeUnique) {
  ModelBuilder m("f");
  const Expr x = m.variable("x");
  m.equation(x == 1, "rod");
  m.equation(x == 2, "rod");
  EXPECT_EQ(reasons(m), "error D0202: the equation rod has the name of an earlier equation\n");
}

TEST(ModelBuilder, NamesEverythingThatIsWrong) {
  ModelBuilder m("f");
  const Expr x = m.variable("x", {.start = std::nan(""), .nominal = -1.0});
  m.variable("y", {.min = 2.0, .max = 1.0});
  m.variable("");
  m.parameter("p", INFINITY);
  m.equation(x == INFINITY);
  m.experiment({.start = 2.0, .stop = 1.0, .tolerance = 0.0, .interval = {}});
  const std::string text = reasons(m);
  EXPECT_THAT(text, HasSubstr("variable x: the start value is not a finite number"));
  EXPECT_THAT(text, HasSubstr("variable x: the nominal value must be a positive number, not -1"));
  EXPECT_THAT(text, HasSubstr("variable y: min = 2 is not below max = 1"));
  EXPECT_THAT(text, HasSubstr("a variable has no name"));
  EXPECT_THAT(text, HasSubstr("parameter p: the value is not a finite number"));
  EXPECT_THAT(text, HasSubstr("equation 1: x = inf contains a number that is not finite"));
  EXPECT_THAT(text, HasSubstr("the stop time must not be before the start time, but it is from 2 to 1"));
  EXPECT_THAT(text, HasSubstr("the tolerance must be a positive number, not 0"));
}

TEST(ModelBuilder, ExpressionsOfAnotherModelAreRefused) {
  ModelBuilder a("a"), b("b");
  const Expr x = a.variable("x");
  const Expr y = b.variable("y");
  EXPECT_THROW(x + y, ModelError);
  EXPECT_THROW(if_else(x < 1, x, y), ModelError);
  b.equation(x == 1.0, "foreign");
  EXPECT_THAT(reasons(b), HasSubstr("foreign: an expression of another model is used"));
}

TEST(Trace, CallsTheFunctionOnce) {
  int calls = 0;
  const Model model = trace("Robertson", 3,
                            [&](auto t, auto x, auto dx) {
                              ++calls;
                              const auto slow = 0.04 * x[0];
                              const auto fast = 1e4 * x[1] * x[2];
                              return std::vector<Expr>{dx[0] + slow - fast, dx[1] - slow + fast + 3e7 * pow(x[1], 2),
                                                       x[0] + x[1] + x[2] - 1.0 + 0.0 * t};
                            },
                            {.start = {1, 0, 0}, .fixed = false, .experiment = {.stop = 40.0}});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(model[VarId{2}].name, "x[3]");
  EXPECT_EQ(model[VarId{0}].start, 1.0);
  EXPECT_EQ(model.experiment.stop, 40.0);
  ASSERT_EQ(model.equations.size(), 3u);
  EXPECT_EQ(model.equations[2].text, "0 = x[1] + x[2] + x[3] - 1");
  EXPECT_EQ(variables_of(*model.pool, model.equations[0].residual).size(), 4u);
}

TEST(Trace, StartValuesMayBeAbsent) {
  const Model model = trace("Decay", 1, [](auto t, auto x, auto dx) { return std::vector{dx[0] + t * x[0]}; });
  EXPECT_EQ(model.equations[0].text, "0 = der(x[1]) + time*x[1]");
  EXPECT_FALSE(model.variables[0].start.has_value());
}

TEST(Trace, CountsMustAgree) {
  const auto two = [](auto, auto x, auto) { return std::vector<Expr>{x[0], x[0]}; };
  EXPECT_THROW(trace("f", 1, two), ModelError);
  EXPECT_THROW(trace("f", 2, two, {.start = {1.0}}), ModelError);
}

TEST(DerivativeName, NestsDer) {
  EXPECT_EQ(derivative_name("x", 0), "x");
  EXPECT_EQ(derivative_name("body.r[2]", 2), "der(der(body.r[2]))");
}

TEST(ModelBuilder, DeclaresInvariants) {
  ModelBuilder m("Fall");
  const Expr g = m.parameter("g", 10.0), x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(der(v) == -g);
  m.invariant("energy", v * v / 2.0 + g * x);
  const Model model = m.build();
  ASSERT_EQ(model.invariants.size(), 1u);
  EXPECT_EQ(model.invariants[0].name, "energy");
  EXPECT_EQ(to_string(*model.pool, model.invariants[0].value, names_of(model)), "v*v/2 + g*x");
}

TEST(ModelBuilder, RefusesInvariantsThatAreNone) {
  ModelBuilder m("M"), other("N");
  const Expr x = m.variable("x");
  m.equation(der(x) == 0.0);
  m.invariant("x", x);
  m.invariant("number", 3.0);
  m.invariant("foreign", other.variable("z"));
  try {
    m.build();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the invariant x has the name of an earlier variable"));
    EXPECT_THAT(error.what(), testing::HasSubstr("the invariant number contains no variable"));
    EXPECT_THAT(error.what(), testing::HasSubstr("foreign"));
  }
}

TEST(Trace, DeclaresInvariants) {
  TraceOptions options;
  options.invariants = [](Expr, const std::vector<Expr>& x, const std::vector<Expr>&) {
    return std::vector{std::pair<std::string, Expr>{"radius", x[0] * x[0] + x[1] * x[1]}};
  };
  const Model model = trace(
      "Circle", 2,
      [](auto, auto x, auto dx) {
        return std::vector{dx[0] - x[1], dx[1] + x[0]};
      },
      options);
  ASSERT_EQ(model.invariants.size(), 1u);
  EXPECT_EQ(model.invariants[0].name, "radius");
}

}  // namespace
}  // namespace driftless
