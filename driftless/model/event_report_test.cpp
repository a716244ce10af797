#include "driftless/model/event_report.hpp"

#include "driftless/model/builder.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;

Model controlled_ball() {
  ModelBuilder m("Ball");
  const Expr e = m.parameter("e", 0.8);
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == if_else(m.time() < 3.0, Expr(-9.81), Expr(0.0)));
  const Expr bounces = m.discrete("bounces", {.type = DiscreteType::Integer});
  const Expr kind = m.discrete("kind", {.type = DiscreteType::Enumeration, .start = 1.0, .literals = {"high", "low"}});
  const Expr awake = m.discrete("awake", {.type = DiscreteType::Boolean, .start = 1.0, .fixed = true});
  const Expr hit = m.when(h < 0.0);
  m.discrete_equation(bounces == if_else(hit, m.pre(bounces) + 1.0, m.pre(bounces)), "count");
  m.discrete_equation(kind == if_else(v < 2.0, Expr(2.0), Expr(1.0)), "class");
  m.discrete_equation(awake == m.sample(0.5, 0.25), "look");
  m.reinit(hit, v, -e * v);
  m.terminate(bounces > 9.0, "enough");
  m.terminate(sin(m.time()) > 0.5, "late");
  return m.build();
}

TEST(EventReport, TellsTimeEventsFromStateEvents) {
  const EventReport report = report_events(controlled_ball());
  ASSERT_EQ(report.relations.size(), 4u);
  EXPECT_EQ(report.relations[0].text, "h < 0");
  EXPECT_FALSE(report.relations[0].is_time_event);
  EXPECT_EQ(report.relations[2].text, "0.5 < sin(time)");
  EXPECT_FALSE(report.relations[2].is_time_event) << "has to be searched for";
  EXPECT_EQ(report.relations[3].text, "time < 3");
  EXPECT_TRUE(report.relations[3].is_time_event);
  ASSERT_EQ(report.samplings.size(), 1u);
  EXPECT_EQ(report.samplings[0].text, "sample(0.5, 0.25)");
}

TEST(EventReport, HasConditionsOfWhenClausesApartFromEquations) {
  const EventReport report = report_events(controlled_ball());
  ASSERT_EQ(report.conditions.size(), 1u);
  EXPECT_EQ(report.conditions[0].text, "h < 0");
  ASSERT_EQ(report.equations.size(), 3u);
  EXPECT_EQ(report.variables.size(), 3u) << "the condition is no variable of the user";
  ASSERT_EQ(report.actions.size(), 3u);
  EXPECT_EQ(report.actions[0].text, "reinit(v, -e*v)");
  EXPECT_EQ(report.actions[0].condition, "when h < 0");
  EXPECT_EQ(report.actions[1].text, "terminate(\"enough\")");
}

TEST(EventReport, TakesTheOrderOfEvaluation) {
  const std::vector<std::size_t> order{3, 2, 0, 1};  // the condition of the when clause is the first equation
  std::vector<std::string> labels;
  for (const auto& equation : report_events(controlled_ball(), order).equations) labels.push_back(equation.label);
  EXPECT_THAT(labels, ElementsAre("look", "class", "count"));
}

TEST(EventReport, IsAlignedForAPerson) {
  const std::vector<ReportSection> sections = sections_of(report_events(controlled_ball()));
  ASSERT_EQ(sections.size(), 5u);
  EXPECT_EQ(sections[0].title, "relations and samplings that cause events");
  EXPECT_THAT(sections[0].lines, ElementsAre("state event  h < 0",            //
                                             "state event  v < 2",            //
                                             "state event  0.5 < sin(time)",  //
                                             "time event   time < 3",         //
                                             "time event   sample(0.5, 0.25)"));
  EXPECT_THAT(sections[1].lines, ElementsAre("bounces  Integer                 pre at the start 0",
                                             "kind     enumeration(high, low)  pre at the start 1",
                                             "awake    Boolean                 starts with true"));
  EXPECT_EQ(sections[2].lines.size(), 1u);
  EXPECT_THAT(sections[4].lines[0], "reinit(v, -e*v)      when h < 0");
  EXPECT_TRUE(sections_of(report_events(ModelBuilder("Empty").build())).empty());
}

}  // namespace
}  // namespace driftless
