#include "driftless/model/event_dependence.hpp"

#include "driftless/model/builder.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const Model& model, const std::vector<ParamId>& ids) {
  std::vector<std::string> all;
  for (const ParamId id : ids) all.push_back(model[id].name);
  return all;
}

ParamId held(const Model& model, const std::string& text) {
  return std::ranges::find(model.discrete.held, text, &Held::text)->held;
}

ParamId value(const Model& model, const std::string& name) {
  return std::ranges::find(model.discrete.variables, name, &DiscreteVariable::name)->value;
}

// `seen` is a discrete variable that an equation contains, `count` one that none does.
struct Parts {
  ModelBuilder m{"M"};
  Expr x = m.variable("x"), seen = m.discrete("seen"), count = m.discrete("count");
  Parts() {
    const Expr above = m.when(x > 0.5);
    m.discrete_equation(count == if_else(above, m.pre(count) + 1.0, m.pre(count)));
    m.discrete_equation(seen == if_else(m.sample(0.0, 1.0), x, m.pre(seen)));
  }
};

TEST(EventDependence, FindsTheNumbersThatEquationsContain) {
  Parts parts;
  parts.m.equation(der(parts.x) == parts.seen * exp(parts.x) + parts.m.parameter("p", 2.0));
  const Model model = parts.m.build();
  EXPECT_THAT(event_numbers_in_equations(model), ElementsAre(value(model, "seen")))
      << testing::PrintToString(names(model, event_numbers_in_equations(model)));
  EXPECT_TRUE(events_change_equations(model));
}

TEST(EventDependence, ARelationInAnEquationIsSuchANumber) {
  Parts parts;
  parts.m.equation(der(parts.x) == if_else(parts.x < 0.2, Expr(1.0), Expr(-1.0)));
  const Model model = parts.m.build();
  EXPECT_THAT(event_numbers_in_equations(model), ElementsAre(held(model, "x < 0.2")));
  EXPECT_TRUE(events_change_equations(model));
}

TEST(EventDependence, CountersChangeNothingContinuous) {
  Parts parts;
  parts.m.equation(der(parts.x) == -parts.x);
  EXPECT_THAT(event_numbers_in_equations(parts.m.build()), IsEmpty());
  EXPECT_FALSE(events_change_equations(parts.m.build()));
  parts.m.reinit(parts.x < -1.0, parts.x, Expr(0.0));
  EXPECT_TRUE(events_change_equations(parts.m.build())) << "a reinit sets a state";
}

TEST(EventDependence, RelationsDependOnThresholdsAndOnTheirOwnSide) {
  ModelBuilder m("M");
  const Expr x = m.variable("x"), threshold = m.discrete("threshold"), other = m.discrete("other");
  m.equation(der(x) == -x);
  m.discrete_equation(threshold == if_else(m.when(x < m.pre(threshold)), m.pre(threshold) / 2.0, m.pre(threshold)));
  m.discrete_equation(other == m.pre(other) + 1.0);
  const Model model = m.build();
  const DiscreteVariable& variable = model.discrete.variables.front();
  ASSERT_EQ(variable.name, "threshold");
  std::vector<ParamId> expected{variable.pre, model.discrete.held.front().held};
  std::ranges::sort(expected);
  EXPECT_EQ(event_numbers_in_relations(model), expected)
      << testing::PrintToString(names(model, event_numbers_in_relations(model)));
}

}  // namespace
}  // namespace driftless
