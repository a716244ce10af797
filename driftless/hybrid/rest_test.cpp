#include "driftless/hybrid/rest.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/sample_jump.hpp"
#include "driftless/initialize/sample_start.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RestModel rest(const Model& model, bool rises = true) {
  auto made = rest_model(model, 0, 0, rises);
  if (const auto* why = std::get_if<std::string>(&made)) throw std::runtime_error(*why);
  return std::get<RestModel>(std::move(made));
}

// A ball over a table that moves up and down.
Model ball_on_table(double amplitude) {
  ModelBuilder m("Ball");
  const Expr h = m.variable("h", {.start = 0.0}), v = m.variable("v"), n = m.discrete("n");
  const Expr table = amplitude * sin(m.time());
  m.equation(der(h) == v);
  m.equation(2.0 * der(v) == -20.0);
  const Expr hit = m.when(h < table);
  m.reinit(hit, v, -0.5 * v);
  m.discrete_equation(n == if_else(hit, m.pre(n) + 1.0, m.pre(n)));
  return m.build();
}

bool ends(const RestModel& rest, double force) {
  const Pool& pool = *rest.model.pool;
  return evaluate(pool, rest.model.discrete.held[rest.ends].expression, [&](NodeId) { return force; }) != 0.0;
}

TEST(Rest, ABallLiesOnAMovingTable) {
  const RestModel made = rest(ball_on_table(0.1));
  EXPECT_EQ(samples::structure_of(made.model).structural_index, 3);
  EXPECT_EQ(samples::structure_of(made.model).degrees_of_freedom, 0);
  for (double t = 0.0; t < 3.0; t += 0.1) {
    const Start start(made.model, t);
    ASSERT_TRUE(start.found());
    const double force = start(made.model[made.force].name);
    EXPECT_NEAR(start("h"), 0.1 * std::sin(t), 1e-15);
    EXPECT_NEAR(start("v"), 0.1 * std::cos(t), 1e-15);
    EXPECT_NEAR(force, 10.0 - 0.1 * std::sin(t), 1e-14);  // v' = -10 + force
    EXPECT_FALSE(ends(made, force));
  }
}

// With a second derivative instead of a variable for the velocity, below a ceiling: the force points down.
TEST(Rest, ABalloonLiesBelowACeiling) {
  ModelBuilder m("Balloon");
  const Expr h = m.variable("h", {.start = 3.0});
  m.equation(der(der(h)) == 1.5);
  m.reinit(m.when(h > 3.0), der(h), -0.5 * der(h));
  const RestModel made = rest(m.build(), false);
  const Start start(made.model);
  ASSERT_TRUE(start.found());
  const double force = start(made.model[made.force].name);
  EXPECT_NEAR(force, -1.5, 1e-15);
  EXPECT_FALSE(ends(made, force));
  EXPECT_TRUE(ends(made, -force));
}

TEST(Rest, TheLastVelocityIsLost) {
  samples::SampleJump jump(rest(ball_on_table(0.0)).model);
  ASSERT_TRUE(jump.from({{"h", 1e-10}, {"v", -3e-7}})) << jump.why;
  EXPECT_EQ(jump("v"), 0.0);
  EXPECT_NEAR(jump("h"), 0.0, 1e-15);
}

TEST(Rest, TheReinitsOfARelation) {
  const Model model = ball_on_table(0.0);
  EXPECT_THAT(reinits_by_relation(model), ElementsAre(ElementsAre(0)));
  ModelBuilder m("Two");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(der(v) == 0.0);
  const Expr left = m.when(x < -1.0), right = m.when(x > 1.0);
  m.reinit(right, v, -v);
  m.reinit(left, v, -v);
  const Model two = m.build();
  EXPECT_THAT(reinits_by_relation(two), ElementsAre(ElementsAre(1), ElementsAre(0)));
}

// A bead on the inside of a circle: the force points to its centre from every position of the bead.
TEST(Rest, TheForceTurnsWithTheSurface) {
  ModelBuilder m("Bowl");
  const Expr x = m.variable("x", {.start = 0.6, .fixed = true}), y = m.variable("y", {.start = -0.8});
  const Expr vx = m.variable("vx", {.start = 0.8, .fixed = true}), vy = m.variable("vy"), gap = m.variable("gap");
  m.equation(der(x) == vx);
  m.equation(der(y) == vy);
  m.equation(der(vx) == 0.0);
  m.equation(2.0 * der(vy) == -20.0);
  m.equation(gap == 1.0 - (x * x + y * y));
  const Expr hit = m.when(gap < 0.0);
  m.reinit(hit, vx, vx - x);
  m.reinit(hit, vy, vy - y);
  const Model model = m.build();
  const auto place = coordinate_of(model, model.discrete.reinits[0]);
  ASSERT_TRUE(place);
  EXPECT_EQ(model[place->variable].name, "x");
  // At x = 0.6, y = -0.8 the slopes of the gap are -1.2 and 1.6.
  const std::vector<RestPush> pushes = {{0, 1.0, place}, {1, 1.0, coordinate_of(model, model.discrete.reinits[1])}};
  auto made = rest_model(model, 0, pushes);
  ASSERT_TRUE(std::holds_alternative<RestModel>(made)) << std::get<std::string>(made);
  const RestModel& bowl = std::get<RestModel>(made);
  const Start start(bowl.model);
  ASSERT_TRUE(start.found());
  const double ax = start("vx", 1), ay = start("vy", 1);
  EXPECT_NEAR(start("y"), -0.8, 1e-14);
  EXPECT_NEAR(ax / (ay + 10.0), start("x") / start("y"), 1e-13);
  EXPECT_NEAR(start("x") * ax + start("y") * ay, -1.0, 1e-13);  // -v^2, with the speed 1
  EXPECT_FALSE(ends(bowl, start(bowl.model[bowl.force].name)));
  EXPECT_TRUE(ends(bowl, -1.0));
}

TEST(Rest, WhatDoesNotLeadToTheSurfaceIsNamed) {
  ModelBuilder m("Other");
  const Expr h = m.variable("h"), v = m.variable("v"), w = m.variable("w");
  m.equation(der(h) == v);
  m.equation(der(v) == -1.0);
  m.equation(der(w) == -1.0);
  m.reinit(m.when(h < 0.0), w, 1.0);
  const auto made = rest_model(m.build(), 0, 0, true);
  ASSERT_TRUE(std::holds_alternative<std::string>(made));
  EXPECT_THAT(std::get<std::string>(made), HasSubstr("w does not lead to h < 0"));
}

}  // namespace
}  // namespace driftless
