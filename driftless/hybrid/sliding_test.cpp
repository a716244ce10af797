#include "driftless/hybrid/sliding.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/sample_jump.hpp"
#include "driftless/initialize/sample_start.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

// Along the first relation of the model that is not one of time.
SlidingModel sliding(const Model& model) {
  std::size_t held = 0;
  while (variables_of(*model.pool, model.discrete.held[held].expression).empty()) ++held;
  auto made = sliding_model(model, held);
  if (const auto* why = std::get_if<std::string>(&made)) throw std::runtime_error(*why);
  return std::get<SlidingModel>(std::move(made));
}

// x is driven towards a moving target by 2 from below and by -1 from above.
Model relay(bool by_discrete_variable) {
  ModelBuilder m("Relay");
  const Expr x = m.variable("x", {.start = 0.0}), target = 0.3 * sin(m.time());
  if (by_discrete_variable) {
    const Expr above = m.discrete("above", {.type = DiscreteType::Boolean});
    m.discrete_equation(above == !(x < target));
    m.equation(der(x) == if_else(above, -1.0, 2.0));
  } else {
    m.equation(der(x) == if_else(x < target, 2.0, -1.0));
    m.terminate(m.time() > 100.0, "the end");
  }
  return m.build();
}

class Relay : public testing::TestWithParam<bool> {};

TEST_P(Relay, FollowsItsTarget) {
  const SlidingModel made = sliding(relay(GetParam()));
  EXPECT_EQ(samples::structure_of(made.model).structural_index, 2);
  for (double t = 0.0; t < 3.0; t += 0.1) {
    const Start start(made.model, t);
    ASSERT_TRUE(start.found());
    EXPECT_NEAR(start("x"), 0.3 * std::sin(t), 1e-15);
    EXPECT_NEAR(start("x", 1), 0.3 * std::cos(t), 1e-15);
    EXPECT_NEAR(start(made.model[made.weight].name), (1.0 + 0.3 * std::cos(t)) / 3.0,
                1e-15);  // 2 alpha - (1 - alpha) = x'
  }
}

INSTANTIATE_TEST_SUITE_P(ByDiscreteVariable, Relay, testing::Bool());

// A body on a belt with dry friction sticks while the spring pulls less than friction holds.
TEST(Sliding, FrictionSticks) {
  for (const double at : {-0.8, -0.5, 0.0, 0.7}) {
    ModelBuilder m("Belt");
    const Expr x = m.variable("x", {.start = at, .fixed = true}), v = m.variable("v", {.start = 0.1});
    m.equation(der(x) == v);
    m.equation(der(v) == -x + if_else(v < 0.2, 0.9, -0.9));
    m.terminate(m.time() > 100.0, "the end");
    const SlidingModel made = sliding(m.build());
    EXPECT_EQ(samples::structure_of(made.model).degrees_of_freedom, 1);
    const Start start(made.model);
    ASSERT_TRUE(start.found());
    EXPECT_NEAR(start("v"), 0.2, 1e-15);
    EXPECT_NEAR(start("v", 1), 0.0, 1e-15);
    EXPECT_NEAR(start(made.model[made.weight].name), (at / 0.9 + 1.0) / 2.0, 1e-15);
  }
}

TEST(Sliding, EndsAreRelationsOfTheWeight) {
  const SlidingModel made = sliding(relay(false));
  const Model& model = made.model;
  ASSERT_GE(model.discrete.held.size(), 3u);
  Pool& pool = *model.pool;
  const NodeId weight = pool.variable(made.weight);
  EXPECT_EQ(model.discrete.held[made.ends_true].expression, pool.binary(Op::Less, pool.one(), weight));
  EXPECT_EQ(model.discrete.held[made.ends_false].expression, pool.binary(Op::Less, weight, pool.zero()));
  EXPECT_EQ(model.variables.size(), model.equations.size());
}

TEST(Sliding, BeginsWithoutAValueOfTheWeight) {
  samples::SampleJump jump(sliding(relay(false)).model);
  ASSERT_TRUE(jump.from({{"x", 0.3 * std::sin(1.0) + 1e-12}}, {}, 1.0)) << jump.why;
  EXPECT_NEAR(jump("x"), 0.3 * std::sin(1.0), 1e-15);
  EXPECT_TRUE(jump.jumped.jumps.empty());
}

TEST(Sliding, AHysteresisHasNoSlidingMotion) {
  ModelBuilder m("Hysteresis");
  const Expr x = m.variable("x"), on = m.discrete("on", {.type = DiscreteType::Boolean});
  m.discrete_equation(on == (x < -1.0 || (m.pre(on) && x < 1.0)));
  m.equation(der(x) == if_else(on, 1.0, -1.0));
  const auto made = sliding_model(m.build(), 0);
  ASSERT_TRUE(std::holds_alternative<std::string>(made));
  EXPECT_THAT(std::get<std::string>(made), HasSubstr("remembers its last value"));
}

TEST(Sliding, ARelationThatNothingDependsOn) {
  ModelBuilder m("Counter");
  const Expr x = m.variable("x"), n = m.discrete("n", {.type = DiscreteType::Integer});
  m.discrete_equation(n == if_else(m.when(x < 0.5), m.pre(n) + 1.0, m.pre(n)));
  m.equation(der(x) == -x);
  const auto made = sliding_model(m.build(), 0);
  ASSERT_TRUE(std::holds_alternative<std::string>(made));
}

}  // namespace
}  // namespace driftless
