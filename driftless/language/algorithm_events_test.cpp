// When statements and discrete variables in algorithm sections.
#include <gmock/gmock.h>

#include "driftless/language/algorithms.hpp"
#include "driftless/language/reading_events.hpp"

namespace driftless {
namespace {

using testing::next_value;
using testing::read;
using testing::read_clean;
using testing::value_at;
using testing::Values;

TEST(AlgorithmEvents, WhenStatementsAssignAtEdges) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true), y;
  Integer n;
  Real last;
equation
  der(x) = -1;
  y = n;
algorithm
  when x < 0 then
    n := pre(n) + 1;
    last := x + time;
  elsewhen x < -1 then
    n := n + 10;
  end when;
end M;)");
  EXPECT_THAT(testing::held(model), ::testing::ElementsAre("x < 0", "x < -1"));
  // Of both conditions, and of the first one before.
  const auto value = [&](const std::string& name, double first, double second, double before) {
    return next_value(model, name,
                      {{"time", 5},
                       {"x", 2},
                       {"x < 0", first},
                       {"pre(x < 0)", before},
                       {"x < -1", second},
                       {"pre(x < -1)", 0},
                       {"pre(n)", 7},
                       {"pre(last)", 0.25}});
  };
  EXPECT_EQ(value("n", 1, 0, 0), 8.0);
  EXPECT_EQ(value("n", 1, 1, 0), 8.0);   // the first branch wins
  EXPECT_EQ(value("n", 0, 1, 0), 17.0);  // n is pre(n) before its first assignment
  EXPECT_EQ(value("n", 1, 0, 1), 7.0);   // no edge
  EXPECT_EQ(value("last", 1, 0, 0), 7.0);
  EXPECT_EQ(value("last", 0, 1, 0), 0.25);
}

TEST(AlgorithmEvents, DiscreteVariablesOutsideOfWhenAreHeld) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true);
  Boolean b, c;
  Integer n;
equation
  der(x) = -1;
algorithm
  b := x > 0;
  n := integer(3*x);
  if b and n > 1 then
    n := n + 1;
  end if;
  c := edge(b) or change(b);
end M;)");
  EXPECT_EQ(model.discrete.held.size(), 2u);
  EXPECT_EQ(next_value(model, "n", {{"0 < x", 1}, {"floor(3*x)", 2}}), 3.0);
  EXPECT_EQ(next_value(model, "n", {{"0 < x", 1}, {"floor(3*x)", 1}}), 1.0);
  EXPECT_EQ(next_value(model, "n", {{"0 < x", 0}, {"floor(3*x)", 2}}), 2.0);
  EXPECT_EQ(next_value(model, "c", {{"0 < x", 1}, {"pre(b)", 0}}), 1.0);
  EXPECT_EQ(next_value(model, "c", {{"0 < x", 1}, {"pre(b)", 1}}), 0.0);
  for (const DiscreteEquation& equation : model.discrete.equations)
    EXPECT_FALSE(varies(*model.pool, equation.right)) << equation.text;
}

TEST(AlgorithmEvents, ReinitTerminateAndAssertInWhen) {
  const Model model = read_clean(R"(model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces;
equation
  der(h) = v;
  der(v) = -9.81;
algorithm
  when h < 0 then
    reinit(v, -0.5*v);
    bounces := pre(bounces) + 1;
    assert(bounces < 100, "too many");
    if bounces > 10 then
      terminate("rest");
    end if;
  end when;
end M;)");
  ASSERT_EQ(model.discrete.reinits.size(), 1u);
  EXPECT_EQ(model[model.discrete.reinits[0].variable].name, "v");
  ASSERT_EQ(model.discrete.terminations.size(), 1u);
  EXPECT_EQ(model.discrete.terminations[0].message, "rest");
  ASSERT_EQ(model.discrete.assertions.size(), 1u);
  EXPECT_EQ(model.discrete.assertions[0].message, "too many");
  const Values at_bounce{{"h < 0", 1}, {"pre(h < 0)", 0}, {"pre(bounces)", 10}, {"v", -4}};
  Values later = at_bounce;
  later["pre(bounces)"] = 200;
  Values no_bounce = later;
  no_bounce["pre(h < 0)"] = 1;
  const Reinit& reinit = model.discrete.reinits[0];
  EXPECT_EQ(value_at(model, reinit.condition, at_bounce), 1.0);
  EXPECT_EQ(value_at(model, reinit.condition, no_bounce), 0.0);
  EXPECT_EQ(value_at(model, reinit.value, at_bounce), 2.0);
  EXPECT_EQ(value_at(model, model.discrete.terminations[0].condition, at_bounce), 1.0);
  EXPECT_EQ(value_at(model, model.discrete.terminations[0].condition, no_bounce), 0.0);
  EXPECT_EQ(value_at(model, model.discrete.assertions[0].condition, at_bounce), 1.0);
  EXPECT_EQ(value_at(model, model.discrete.assertions[0].condition, later), 0.0);
  EXPECT_EQ(value_at(model, model.discrete.assertions[0].condition, no_bounce), 1.0);
}

TEST(AlgorithmEvents, InitialAlgorithmsStartDiscreteVariables) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -1;
  when x < 0 then
    n = pre(n) + 1;
  end when;
initial algorithm
  n := 3;
end M;)");
  ASSERT_EQ(model.discrete.initial_equations.size(), 1u);
  EXPECT_EQ(model.pool->constant_value(model.discrete.initial_equations[0].right), 3.0);
}

TEST(AlgorithmEvents, Mistakes) {
  const auto messages = [](const std::string& statements) {
    return read("model M\nReal x(start = 1, fixed = true); discrete Real d; Integer n;\nequation\nder(x) = -1;\n" +
                statements + "\nend M;")
        .messages();
  };
  EXPECT_EQ(messages("algorithm\nd := x;\nn := 1;"),
            "6:1: error: d changes at events only, but the value here changes continuously\n"
            "  assign it in a when statement, or declare it as a continuous variable\n");
  EXPECT_EQ(messages("algorithm\nwhen x < 0 then\nwhen x < 1 then\nd := 1;\nend when;\nend when;\nn := 1;"),
            "7:1: error: a when statement is not allowed inside of another one\n");
  EXPECT_EQ(messages("initial algorithm\nwhen x < 0 then\nd := 1;\nend when;\nalgorithm\nn := 1;"),
            "6:1: error: a when statement is not allowed in an initial algorithm\n");
}

}  // namespace
}  // namespace driftless
