// Discrete variables and equations, relations that are held, operators of events.
#include "driftless/language/events.hpp"

#include <gmock/gmock.h>

#include "driftless/language/reading_events.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

using testing::discrete_named;
using ::testing::ElementsAre;
using testing::held;
using ::testing::IsEmpty;
using testing::next_value;
using testing::read;
using testing::read_clean;
using testing::text_of;
using testing::texts;

TEST(DiscreteVariables, OfAllTypes) {
  const Model model = read_clean(R"(model M
  type Gear = enumeration(low, middle, high);
  Integer n(start = 3, min = 0, max = 9) = integer(time) "count";
  Boolean b[2](start = {true, false}, each fixed = true) = {time > 1, time > 2};
  Gear gear(start = Gear.middle) = if time > 1 then Gear.high else Gear.low;
  Gear other = gear;
  discrete Real u(unit = "V") = if b[1] then 1.5 else 2.5;
end M;)");
  const DiscreteVariable& n = discrete_named(model, "n");
  EXPECT_EQ(n.type, DiscreteType::Integer);
  EXPECT_EQ(n.start, 3);
  EXPECT_EQ(n.min, 0);
  EXPECT_EQ(n.max, 9);
  EXPECT_EQ(n.description, "count");
  EXPECT_FALSE(n.fixed);
  EXPECT_EQ(model[n.value].value, 3);
  EXPECT_EQ(model[n.pre].value, 3);
  EXPECT_EQ(discrete_named(model, "b[1]").start, 1);
  EXPECT_EQ(discrete_named(model, "b[2]").start, 0);
  EXPECT_TRUE(discrete_named(model, "b[2]").fixed);
  EXPECT_EQ(discrete_named(model, "b[2]").type, DiscreteType::Boolean);
  EXPECT_EQ(discrete_named(model, "gear").start, 2);
  EXPECT_THAT(discrete_named(model, "gear").literals, ElementsAre("low", "middle", "high"));
  EXPECT_EQ(discrete_named(model, "other").start, 1) << "the first of its values";
  EXPECT_EQ(discrete_named(model, "u").type, DiscreteType::Real);
  EXPECT_EQ(discrete_named(model, "u").unit, "V");
  EXPECT_TRUE(model.variables.empty());
  EXPECT_TRUE(model.equations.empty());
  EXPECT_EQ(model.discrete.equations.size(), 6u);
  EXPECT_EQ(next_value(model, "gear", {{"1 < time", 1}}), 3);
  EXPECT_EQ(next_value(model, "gear", {{"1 < time", 0}}), 1);
}

TEST(DiscreteVariables, StartsFollowParametersAndOverrides) {
  const std::string text = R"(model M
  type Gear = enumeration(low, high);
  parameter Real p = 2;
  discrete Real u[2](start = {p, 3*p});
  Integer n(start = 1);
  Boolean b;
  Gear gear;
equation
  when time > 1 then
    u = {1, 2};
    n = 2;
    b = true;
    gear = Gear.high;
  end when;
end M;)";
  const auto model = std::make_shared<const Model>(read_clean(text));
  EXPECT_EQ(discrete_named(*model, "u[2]").start, 6);
  const auto other = with_inputs(model, {{"p", 5}}, {{"n", 4}, {"u[1]", -1}});
  EXPECT_EQ(discrete_named(*other, "u[1]").start, -1);
  EXPECT_EQ(discrete_named(*other, "u[2]").start, 15);
  EXPECT_EQ((*other)[discrete_named(*other, "u[2]").pre].value, 15);
  EXPECT_EQ(discrete_named(*other, "n").start, 4);
  const Model given = read_clean(
      text, {.overrides = {{"n", "7"}, {"b", "true"}, {"gear", "Gear.high"}, {"u[1]", "p + 1"}, {"p", "10"}}});
  EXPECT_EQ(discrete_named(given, "n").start, 7);
  EXPECT_EQ(discrete_named(given, "b").start, 1);
  EXPECT_EQ(discrete_named(given, "gear").start, 2);
  EXPECT_EQ(discrete_named(given, "u[1]").start, 11);
  EXPECT_EQ(discrete_named(given, "u[2]").start, 30);
  EXPECT_EQ(read(text, {.overrides = {{"n", "1.5"}}}).messages().substr(0, 60),
            "2:1: error: the value in --override n=1.5 must be Integer, b");
}

TEST(DiscreteEquations, AreRecognisedByTheirTypes) {
  const Model model = read_clean(R"(model M
  Real x(start = 0, fixed = true), y, w;
  Boolean b, c;
  Integer n, m;
  discrete Real u, v;
equation
  der(x) = y;
  b = x > 0 or pre(b);
  not b = c;
  n = integer(x);
  2*pre(n) = m;
  y = 2*n + u;                   // determines y, which is continuous
  u = v + 1;
  u = w;                         // w is continuous
  v = if b then 1 else pre(v);
end M;)");
  EXPECT_THAT(testing::labels(model.equations), ElementsAre("line 7", "line 12", "line 14"));
  EXPECT_THAT(texts(model, model.discrete.equations),
              ElementsAre("b = 0 < x or pre(b)", "c = not b", "n = floor(x)", "m = 2*pre(n)", "u = v + 1",
                          "v = (if b then 1 else pre(v))"));
  EXPECT_THAT(held(model), ElementsAre("0 < x", "floor(x)"));
}

TEST(DiscreteEquations, OfTheStart) {
  const Model model = read_clean(R"(model M
  Real x;
  Integer n;
  Boolean b;
  discrete Real u;
initial equation
  pre(n) = 3;
  b = true;
  pre(u) = 2*x;
  x = n;
equation
  der(x) = n;
  when sample(0, 1) then
    n = pre(n) + 1;
    b = not pre(b);
    u = x;
  end when;
end M;)");
  EXPECT_THAT(texts(model, model.discrete.initial_equations), ElementsAre("pre(n) = 3", "b = 1", "pre(u) = 2*x"));
  EXPECT_THAT(testing::labels(model.initial_equations), ElementsAre("line 10"));
}

// Each equation can determine a variable that stands alone on one of its sides.
TEST(DiscreteEquations, AreCountedByWhatTheyCanDetermine) {
  const auto messages = [](const std::string& equations) {
    return read("model M Boolean a, b, c; equation\n" + equations + " end M;").messages();
  };
  EXPECT_EQ(messages("a = b; b = c; not a = pre(c);"), "");
  EXPECT_EQ(messages("a = b; c = time > 1; not b = a;"), "");
  EXPECT_EQ(messages("a = b; b = c;"),
            "1:17: error: no equation and no when clause gives the discrete variable a a value\n"
            "  write a = ... in a when clause or as an equation, or declare it as a parameter\n");
  EXPECT_EQ(messages("a = b;\nb = true;\na = false; c = true;"),
            "4:1: error: a = false has no discrete variable left that it could determine: a has a value without it\n"
            "  by a = b\n");
}

TEST(Relations, AreHeldInAllModels) {
  const std::string continuous = "Real x(start = 1, fixed = true); equation der(x) = if x > 0.5 then -1 else -x;";
  EXPECT_THAT(held(read_clean("model M " + continuous + " end M;")), ElementsAre("0.5 < x"));
  const Model model = read_clean("model M Boolean b = time > 3; " + continuous + " end M;");
  EXPECT_THAT(held(model), ElementsAre("3 < time", "0.5 < x"));
  EXPECT_FALSE(
      any_node(*model.pool, model.equations[0].residual, [&](NodeId id) { return (*model.pool)[id].op == Op::Less; }));
}

TEST(Relations, AreQuietInNoEventSmoothAndFunctions) {
  const Model model = read_clean(R"(model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := if x > 4 then x else 0;
  end f;
  Boolean b = time > 3;
  Real x(start = 0, fixed = true), y[7];
equation
  der(x) = 1;
  y[1] = noEvent(if x > 1 then 1 else 0);
  y[2] = smooth(0, if x > 2 then x else 2);
  y[3] = f(if x > 3 then x else 0);
  y[4] = floor(x) + noEvent(ceil(x));
  y[5] = if x > 1 then 2 else 0;      // the same relation, outside of noEvent
  y[6] = div(7, 2) + mod(n, 3);
  y[7] = if b and n > 2 then 1 else 0;
protected
  Integer n = 5;
end M;)");
  EXPECT_THAT(held(model), ElementsAre("3 < time", "3 < x", "floor(x)", "1 < x"));
}

TEST(Relations, OfQuotientsAndSigns) {
  const Model model = read_clean(R"(model M
  Real x(start = 0, fixed = true);
  Integer s = sign(x), q = div(integer(x), 3);
  Real m = mod(x, 2);
equation
  der(x) = 1;
end M;)");
  EXPECT_THAT(held(model), ElementsAre("x < 0", "0 < x", "floor(x)", "floor(x/2)"));
  EXPECT_EQ(next_value(model, "s", {{"x < 0", 1}, {"0 < x", 0}}), -1);
  EXPECT_EQ(next_value(model, "s", {{"x < 0", 0}, {"0 < x", 0}}), 0);
  EXPECT_EQ(next_value(model, "q", {{"floor(x)", -7}}), -2);
}

TEST(DiscreteVariables, ChooseElementsOfArrays) {
  const Model model = read_clean(R"(model M
  type Gear = enumeration(low, high);
  parameter Real table[3] = {10, 20, 30};
  Real x(start = 0, fixed = true), ratio[Gear] = {1, 2};
  Integer n = integer(x);
  Gear gear = if x > 1 then Gear.high else Gear.low;
  Boolean late[Boolean] = {true, false}, b = x > 2;
  discrete Real u = table[n + 1];
equation
  der(x) = ratio[gear] + (if late[b] then 1 else 0);
end M;)");
  const testing::Values tables{{"table[1]", 10}, {"table[2]", 20}, {"table[3]", 30}, {"n", 1}};
  EXPECT_EQ(next_value(model, "u", tables), 20);
  const auto slope = [&](double gear, double b) {
    const auto last = model.equations.back().residual;
    return -testing::value_at(
        model, last,
        {{"der(x)", 0}, {"ratio[1]", 3}, {"ratio[2]", 5}, {"gear", gear}, {"b", b}, {"late[1]", 0}, {"late[2]", 1}});
  };
  EXPECT_EQ(slope(1, 0), 3);
  EXPECT_EQ(slope(2, 0), 5);
  EXPECT_EQ(slope(2, 1), 6);
}

TEST(Operators, PreEdgeChange) {
  const Model model = read_clean(R"(model M
  Boolean b[2] = {time > 1, time > 2}, e, c, any;
  Integer n = integer(time), p[2];
equation
  e = edge(b[1]);
  c = change(n);
  p = {pre(n), 0};
  any = max({if edge(b[i]) then 1 else 0 for i in 1:2}) > 0;
end M;)");
  EXPECT_EQ(next_value(model, "e", {{"b[1]", 1}, {"pre(b[1])", 0}}), 1);
  EXPECT_EQ(next_value(model, "e", {{"b[1]", 1}, {"pre(b[1])", 1}}), 0);
  EXPECT_EQ(next_value(model, "c", {{"n", 1}, {"pre(n)", 2}}), 1);
  EXPECT_EQ(next_value(model, "c", {{"n", 2}, {"pre(n)", 2}}), 0);
  EXPECT_EQ(next_value(model, "p[1]", {{"pre(n)", 2}}), 2);
  EXPECT_EQ(next_value(model, "any", {{"b[1]", 1}, {"pre(b[1])", 1}, {"b[2]", 1}, {"pre(b[2])", 0}}), 1);
}

TEST(Operators, SampleInitialTerminal) {
  const Model model = read_clean(R"(model M
  parameter Real T = 0.1;
  Boolean a = sample(T, 2*T), b = sample(T, 2*T), c = sample(interval = 3, start = 0), i = initial(), t = terminal();
end M;)");
  ASSERT_EQ(model.discrete.samplings.size(), 2u) << "equal samplings are one";
  EXPECT_EQ(text_of(model, model.discrete.samplings[0].start), "T");
  EXPECT_EQ(text_of(model, model.discrete.samplings[0].interval), "2*T");
  EXPECT_EQ(text_of(model, model.discrete.samplings[1].interval), "3");
  ASSERT_TRUE(model.discrete.initial && model.discrete.terminal);
  EXPECT_EQ(testing::right_of(model, "i"), model.pool->parameter(*model.discrete.initial));
  EXPECT_EQ(testing::right_of(model, "t"), model.pool->parameter(*model.discrete.terminal));
}

TEST(Messages, AreTextsOfConstantsAndParameters) {
  const Model model = read_clean(R"(model M
  constant String unit = "metres";
  parameter String what = "height in " + unit;
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0 then
    terminate("no " + what + " left");
  elsewhen x > 5 then
    terminate("x = " + String(x));
  end when;
end M;)");
  ASSERT_EQ(model.discrete.terminations.size(), 2u);
  EXPECT_EQ(model.discrete.terminations[0].message, "no height in metres left");
  EXPECT_EQ(model.discrete.terminations[1].message, "x = {x}");
}

TEST(Homotopy, KeepsTheDiscretePartOnce) {
  const Model model = read_clean(R"(model M
  Real x(start = 1), y;
  Integer n;
equation
  der(x) = -x;
  homotopy(y^3, y) = if x > 2 then 1 else 8;
  when x < 0.5 then
    n = pre(n) + 1;
  end when;
end M;)");
  ASSERT_EQ(model.equations.size(), 2u);
  EXPECT_EQ(model.discrete.variables.size(), 2u);
  EXPECT_EQ(model.discrete.equations.size(), 2u);
  EXPECT_THAT(held(model), ElementsAre("x < 0.5", "2 < x"));
  ASSERT_TRUE(model.equations[1].simplified);
  EXPECT_FALSE(any_node(*model.pool, *model.equations[1].simplified,
                        [&](NodeId id) { return (*model.pool)[id].op == Op::Less; }));
}

}  // namespace
}  // namespace driftless
