#include "driftless/language/function_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using testing::read_clean;

// The value of r in r = ..., the first equation, at this time; parameters have their values, variables are 0.
double right_side(const Model& model, double time) {
  const Pool& pool = *model.pool;
  return -evaluate(pool, model.equations.front().residual, [&](NodeId leaf) {
    const Node& node = pool[leaf];
    if (node.op == Op::Time) return time;
    return node.op == Op::Parameter ? model.parameters[node.a].value : 0.0;
  });
}

const std::string newton = R"(
partial function F input Real x; output Real y; end F;
function zero "Newton's method with difference quotients"
  input F f; input Real first; output Real x;
protected
  Real y, slope; Integer turns;
algorithm
  x := first; y := f(x); turns := 0;
  while abs(y) > 1e-12 and turns < 50 loop
    slope := (f(x + 1e-6) - f(x - 1e-6))/2e-6;
    x := x - y/slope;
    y := f(x);
    turns := turns + 1;
  end while;
end zero;
)";

TEST(FunctionValues, AProgramTakesTheInputsThatAreGivenAsArgumentsOfItsOwn) {
  const Model model = read_clean(newton + R"(
function kepler input Real x; input Real e; input Real M; output Real y; algorithm y := x - e*sin(x) - M; end kepler;
model M Real r; parameter Real e = 0.5; equation r = zero(function kepler(e = e, M = time), time); end M;)");
  for (const double time : {0.3, 1.0, 2.5}) {
    const double x = right_side(model, time);
    EXPECT_NEAR(x - 0.5 * std::sin(x), time, 1e-11);
  }
}

// Two calls that differ only in numbers are calls of one program, another function makes another one.
TEST(FunctionValues, EqualFunctionsShareAProgram) {
  const Model model = read_clean(newton + R"(
function square input Real x; input Real a; output Real y; algorithm y := x^2 - a; end square;
function cube input Real x; input Real a; output Real y; algorithm y := x^3 - a; end cube;
model M Real r, s; equation
r = zero(function square(a = time), 1) + zero(function square(a = 2*time), 1) + zero(function cube(a = time), 1);
s = 1; end M;)");
  EXPECT_NEAR(right_side(model, 8), std::sqrt(8.0) + 4 + 2, 1e-10);
  std::set<FunctionId> called;
  for (const NodeId node : nodes_of(*model.pool, model.equations.front().residual))
    if ((*model.pool)[node].op == Op::Call) called.insert(model.pool->call_site((*model.pool)[node]).function);
  EXPECT_EQ(called.size(), 2U);
}

TEST(FunctionValues, CompositionsOfCompositionsAreVisitedOnce) {
  const Model model = read_clean(R"(
partial function F input Real x; output Real y; end F;
function id input Real x; output Real y; algorithm y := x; end id;
function pick input Real x; input F f; input F g; output Real y; algorithm y := if x > 0 then x else 2*x; end pick;
function deep input F f; input Integer n; input Real x; output Real y;
algorithm y := if n == 0 then f(x) else deep(function pick(f = f, g = f), n - 1, x); end deep;
model M Real r; equation r = deep(id, 60, time); end M;)");
  EXPECT_EQ(right_side(model, -1), -2);
}

TEST(FunctionValues, RelationsInAFunctionCauseEventsIfItSaysSo) {
  const auto held = [](const std::string& annotation) {
    return read_clean("function f input Real x; output Real y; algorithm y := if x > 0.5 then 1 else 2;" + annotation +
                      " end f;\nmodel M Real y = f(time); end M;")
        .discrete.held.size();
  };
  EXPECT_EQ(held(""), 0U);
  EXPECT_EQ(held("annotation(GenerateEvents = true);"), 1U);
}

TEST(FunctionValues, SmoothOrderIsAPromise) {
  const Model model = read_clean(
      "function f input Real x; output Real y; algorithm y := if x > 0 then x^3 else 0; annotation(smoothOrder = 2); "
      "end "
      "f;\nmodel M Real y = f(time); end M;");
  ASSERT_EQ(model.smooth.size(), 1U);
  EXPECT_EQ(model.smooth.front().derivatives, 2);
}

// f_d names its derivative as that of order 2 of f: two derivatives, so f and its first one do not jump.
TEST(FunctionValues, NamedDerivativesAreAPromise) {
  const std::string body = " algorithm y := if x > 0 then x else 0; ";
  const std::string f = "function f input Real x; output Real y;" + body + "annotation(derivative = f_d); end f;\n";
  const auto f_d = [&](const std::string& annotation) {
    return "function f_d input Real x; input Real xd; output Real y;" + body + annotation + " end f_d;\n";
  };
  const std::string f_dd =
      "function f_dd input Real x; input Real xd; input Real xdd; output Real y;" + body + "end f_dd;\n";
  const std::string model = "model M Real y = f(time); end M;";
  const auto promised = [&](const std::string& text) {
    const Model read = read_clean(text + model);
    return read.smooth.size() == 1 ? read.smooth.front().derivatives : -1;
  };
  EXPECT_EQ(promised(f + f_d("")), 0);
  EXPECT_EQ(promised(f + f_d("annotation(derivative(order = 2) = f_dd);") + f_dd), 1);
  EXPECT_EQ(promised(f + f_d("annotation(derivative = f_dd);") + f_dd), 1);
}

}  // namespace
}  // namespace driftless
