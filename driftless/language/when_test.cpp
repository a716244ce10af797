// When clauses: their form in the discrete part of a model.
#include "driftless/language/when.hpp"

#include <gmock/gmock.h>

#include "driftless/language/reading_events.hpp"

namespace driftless {
namespace {

using testing::discrete_named;
using ::testing::ElementsAre;
using testing::held;
using ::testing::IsEmpty;
using testing::next_value;
using testing::read_clean;
using testing::text_of;
using testing::texts;
using testing::value_at;

Model ball() {
  return read_clean(R"(model Ball
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Ball;)");
}

TEST(When, ConditionIsADiscreteVariableOfItsOwn) {
  const Model model = ball();
  EXPECT_THAT(held(model), ElementsAre("h < 0"));
  ASSERT_EQ(model.discrete.variables.size(), 2u);
  EXPECT_EQ(model.discrete.variables[0].name, "bounces");
  EXPECT_FALSE(model.discrete.variables[0].auxiliary);
  EXPECT_TRUE(model.discrete.variables[0].fixed);
  EXPECT_EQ(model.discrete.variables[0].type, DiscreteType::Integer);
  EXPECT_TRUE(model.discrete.variables[1].auxiliary);
  EXPECT_EQ(model.discrete.variables[1].name, "h < 0");
  EXPECT_EQ(model.discrete.variables[1].type, DiscreteType::Boolean);
  ASSERT_EQ(model.discrete.equations.size(), 2u);
  EXPECT_EQ(model.discrete.equations[0].label, "line 8");
  EXPECT_EQ(model.discrete.equations[1].label, "line 10");
  EXPECT_EQ(model.discrete.equations[1].text, "bounces = pre(bounces) + 1");
  EXPECT_EQ(model.equations.size(), 2u);
  EXPECT_EQ(model.variables.size(), 2u);
}

// The leaf of the condition and that of the relation have the same name, so values are given by their places.
TEST(When, AssignsAtTheEdgeOnly) {
  const Model model = ball();
  const DiscreteVariable& condition = model.discrete.variables[1];
  const auto count = [&](double now, double before) {
    return evaluate(*model.pool, testing::right_of(model, "bounces"), [&](NodeId leaf) {
      if (leaf == model.pool->parameter(condition.value)) return now;
      if (leaf == model.pool->parameter(condition.pre)) return before;
      return 7.0;  // pre(bounces)
    });
  };
  EXPECT_EQ(count(1, 0), 8);
  EXPECT_EQ(count(1, 1), 7);
  EXPECT_EQ(count(0, 0), 7);
  EXPECT_EQ(count(0, 1), 7);
}

TEST(When, ReinitHasTheConditionAndTheNewValue) {
  const Model model = ball();
  ASSERT_EQ(model.discrete.reinits.size(), 1u);
  const Reinit& reinit = model.discrete.reinits[0];
  EXPECT_EQ(model[reinit.variable].name, "v");
  EXPECT_EQ(reinit.order, 0);
  EXPECT_EQ(value_at(model, reinit.value, {{"e", 0.5}, {"v", -4}}), 2);
  EXPECT_EQ(value_at(model, reinit.condition, {{"h < 0", 1}, {"pre(h < 0)", 0}}), 1);
  EXPECT_EQ(value_at(model, reinit.condition, {{"h < 0", 1}, {"pre(h < 0)", 1}}), 0);
  EXPECT_EQ(reinit.text, "reinit(v, -e*pre(v))");
  EXPECT_EQ(reinit.label, "line 9");
}

TEST(When, ElsewhenGivesWayToWhatStandsBefore) {
  const Model model = read_clean(R"(model M
  Boolean a = time > 1, b = time > 2;
  Real u;
equation
  when a then
    u = 1;
  elsewhen b then
    u = 2;
  end when;
end M;)");
  ASSERT_EQ(model.discrete.variables.size(), 5u);
  const DiscreteVariable &first = model.discrete.variables[3], &second = model.discrete.variables[4];
  EXPECT_TRUE(first.auxiliary && second.auxiliary);
  const auto value = [&](bool a, bool b) {
    return evaluate(*model.pool, testing::right_of(model, "u"), [&](NodeId leaf) {
      if (leaf == model.pool->parameter(first.value)) return a ? 1.0 : 0.0;
      if (leaf == model.pool->parameter(second.value)) return b ? 1.0 : 0.0;
      return text_of(model, leaf) == "pre(u)" ? 9.0 : 0.0;
    });
  };
  EXPECT_EQ(value(true, false), 1);
  EXPECT_EQ(value(true, true), 1);
  EXPECT_EQ(value(false, true), 2);
  EXPECT_EQ(value(false, false), 9);
}

TEST(When, EffectsOfElsewhenGiveWayAsWell) {
  const Model model = read_clean(R"(model M
  Boolean a = time > 1, b = time > 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when a then
    reinit(x, 1);
  elsewhen b then
    reinit(x, 2);
    terminate("over");
    assert(x < 5, "too large");
  end when;
end M;)");
  const auto at = [&](NodeId node, bool a, bool b, double x = 0) {
    return evaluate(*model.pool, node, [&](NodeId leaf) {
      if (leaf == model.pool->parameter(model.discrete.variables[2].value)) return a ? 1.0 : 0.0;
      if (leaf == model.pool->parameter(model.discrete.variables[3].value)) return b ? 1.0 : 0.0;
      return text_of(model, leaf) == "x" ? x : 0.0;
    });
  };
  ASSERT_EQ(model.discrete.reinits.size(), 2u);
  EXPECT_EQ(at(model.discrete.reinits[0].condition, true, true), 1);
  EXPECT_EQ(at(model.discrete.reinits[1].condition, true, true), 0);
  EXPECT_EQ(at(model.discrete.reinits[1].condition, false, true), 1);
  ASSERT_EQ(model.discrete.terminations.size(), 1u);
  EXPECT_EQ(model.discrete.terminations[0].message, "over");
  EXPECT_EQ(at(model.discrete.terminations[0].condition, false, true), 1);
  EXPECT_EQ(at(model.discrete.terminations[0].condition, true, true), 0);
  ASSERT_EQ(model.discrete.assertions.size(), 1u);
  EXPECT_EQ(at(model.discrete.assertions[0].condition, false, false, 9), 1) << "the clause is not active";
  EXPECT_EQ(at(model.discrete.assertions[0].condition, false, true, 9), 0);
  EXPECT_EQ(at(model.discrete.assertions[0].condition, false, true, 4), 1);
  EXPECT_FALSE(model.discrete.assertions[0].is_warning);
  EXPECT_THAT(model.assertions, IsEmpty());
}

TEST(When, ElementsOfAVectorHaveEdgesOfTheirOwn) {
  const Model model = read_clean(R"(model M
  Integer n(start = 0);
equation
  when {time > 1, time > 2, initial()} then
    n = pre(n) + 1;
  end when;
end M;)");
  ASSERT_EQ(model.discrete.variables.size(), 3u) << "initial() needs no variable";
  EXPECT_EQ(model.discrete.variables[1].name, "time > 1");
  EXPECT_EQ(model.discrete.variables[2].name, "time > 2");
  const auto count = [&](double second_before, double initial) {
    return evaluate(*model.pool, testing::right_of(model, "n"), [&](NodeId leaf) {
      if (leaf == model.pool->parameter(model.discrete.variables[2].pre)) return second_before;
      if (leaf == model.pool->parameter(*model.discrete.initial)) return initial;
      return text_of(model, leaf) == "pre(n)" ? 5.0 : 1.0;
    });
  };
  EXPECT_EQ(count(1, 0), 5) << "both were true before";
  EXPECT_EQ(count(0, 0), 6) << "the first was true before, the second was not";
  EXPECT_EQ(count(1, 1), 6);
}

TEST(When, RelationsInsideAreNotHeld) {
  const Model model = read_clean(R"(model M
  Real x(start = 0, fixed = true);
  Integer n;
equation
  der(x) = 1;
  when sample(0, 1) then
    n = if x > 3 then integer(x) else 0;
  end when;
end M;)");
  EXPECT_THAT(held(model), IsEmpty());
  const testing::Values at_sample{{"sample(0, 1)", 1}, {"pre(sample(0, 1))", 0}, {"pre(n)", -1}, {"x", 4.5}};
  EXPECT_EQ(next_value(model, "n", at_sample), 4);
}

TEST(When, LoopsTuplesAndIfInside) {
  const Model model = read_clean(R"(model M
  function f
    input Real x;
    output Real a;
    output Integer b;
  algorithm
    a := 2*x;
    b := 3;
  end f;
  Real x(start = 0, fixed = true), u[2], a;
  Integer b;
  parameter Boolean fast = true;
equation
  der(x) = 1;
  when sample(0, 1) then
    for i in 1:2 loop
      u[i] = i*x;
    end for;
    (a, b) = f(x);
    if x > 2 then
      reinit(x, 0);
    end if;
    if fast then
      terminate("fast");
    end if;
  end when;
end M;)");
  const testing::Values now{{"sample(0, 1)", 1}, {"pre(sample(0, 1))", 0}, {"x", 4},
                            {"pre(u[1])", 0},    {"pre(u[2])", 0},         {"pre(a)", 0},
                            {"pre(b)", 0}};
  EXPECT_EQ(next_value(model, "u[1]", now), 4);
  EXPECT_EQ(next_value(model, "u[2]", now), 8);
  EXPECT_EQ(next_value(model, "a", now), 8);
  EXPECT_EQ(next_value(model, "b", now), 3);
  ASSERT_EQ(model.discrete.reinits.size(), 1u);
  EXPECT_EQ(value_at(model, model.discrete.reinits[0].condition, now), 1);
  EXPECT_EQ(
      value_at(model, model.discrete.reinits[0].condition, {{"sample(0, 1)", 1}, {"pre(sample(0, 1))", 0}, {"x", 1}}),
      0);
  EXPECT_EQ(model.discrete.terminations.size(), 1u);
  EXPECT_EQ(discrete_named(model, "u[2]").type, DiscreteType::Real)
      << "it is discrete because the clause assigns to it";
  EXPECT_EQ(model.variables.size(), 1u);
}

TEST(When, BranchesOfIfInsideAreMerged) {
  const Model model = read_clean(R"(model M
  Integer n, m;
equation
  when sample(0, 1) then
    if pre(n) > 3 then
      n = 0;
      m = 1;
    elseif pre(n) > 1 then
      m = 2;
      n = 9;
    else
      n = pre(n) + 1;
      m = pre(m);
    end if;
  end when;
end M;)");
  const auto at = [&](const std::string& name, double before) {
    return next_value(model, name, {{"sample(0, 1)", 1}, {"pre(sample(0, 1))", 0}, {"pre(n)", before}, {"pre(m)", 7}});
  };
  EXPECT_EQ(at("n", 4), 0);
  EXPECT_EQ(at("m", 4), 1);
  EXPECT_EQ(at("n", 2), 9);
  EXPECT_EQ(at("m", 2), 2);
  EXPECT_EQ(at("n", 1), 2);
  EXPECT_EQ(at("m", 1), 7);
}

TEST(When, ReinitOfElementsAndArrays) {
  const Model model = read_clean(R"(model M
  Real x[3](each start = 0, each fixed = true), y(start = 0), z;
equation
  der(x) = {1, 2, 3};
  der(der(y)) = 1;
  z = y;
  when time > 1 then
    reinit(x[2], 5);
    reinit(der(y), 6);
  end when;
  when time > 2 then
    reinit(x, {7, 8, 9});
  end when;
end M;)");
  ASSERT_EQ(model.discrete.reinits.size(), 5u);
  EXPECT_EQ(model[model.discrete.reinits[0].variable].name, "x[2]");
  EXPECT_EQ(model.discrete.reinits[1].order, 1);
  EXPECT_EQ(model[model.discrete.reinits[1].variable].name, "y");
  EXPECT_EQ(model[model.discrete.reinits[4].variable].name, "x[3]");
  EXPECT_EQ(value_at(model, model.discrete.reinits[4].value, {}), 9);
  EXPECT_EQ(model.discrete.reinits[4].label, "line 12 [3]");
}

// One clause in each iteration, with different names.
TEST(When, InsideOfALoop) {
  const Model model = read_clean(R"(model M
  Real x[2](each start = 1, each fixed = true);
  Boolean low[2];
equation
  for i in 1:2 loop
    der(x[i]) = -i;
    when x[i] < 0 then
      low[i] = true;
    end when;
  end for;
end M;)");
  EXPECT_THAT(held(model), ElementsAre("x[1] < 0", "x[2] < 0"));
  std::vector<std::string> labels;
  for (const DiscreteEquation& equation : model.discrete.equations) labels.push_back(equation.label);
  EXPECT_THAT(labels, ElementsAre("line 7 [i=1]", "line 8 [i=1]", "line 7 [i=2]", "line 8 [i=2]"));
}

}  // namespace
}  // namespace driftless
