#include "driftless/model/hold.hpp"

#include <gmock/gmock.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::SizeIs;

struct Parts {
  std::shared_ptr<const Model> held;
  NodeId plain;  // the residual as it was written
};

Parts nested_relations() {
  ModelBuilder m("M");
  const Expr x = m.variable("x"), y = m.variable("y"), t = m.time();
  const Expr right = if_else(x < if_else(t < 1.0, y, 2.0 * y), floor(x), if_else(t < 1.0, 3.0, 4.0));
  m.equation(der(x) == right);
  m.equation(y == 2.0);
  auto model = std::make_shared<const Model>(m.build());
  return {model, (der(x) - right).node_in(*model->pool)};
}

bool has_steps(const Model& model, NodeId expression) {
  return any_node(*model.pool, expression, [&](NodeId id) {
    const Op op = (*model.pool)[id].op;
    return op == Op::Less || op == Op::Floor;
  });
}

TEST(Held, RelationsLeaveNothingThatJumpsInTheEquations) {
  const auto [model, plain] = nested_relations();
  EXPECT_THAT(model->discrete.held, SizeIs(3));
  EXPECT_TRUE(has_steps(*model, plain));
  EXPECT_FALSE(has_steps(*model, model->equations[0].residual));
}

TEST(Held, RelationsThatAreReleasedAreTheSameExpressionAgain) {
  const auto [model, plain] = nested_relations();
  const auto released = without_events(model);
  EXPECT_EQ(released->equations[0].residual, plain);
  EXPECT_TRUE(released->discrete.is_empty());
  EXPECT_TRUE(has_released_relations(*released));
  EXPECT_FALSE(has_released_relations(*model));
  EXPECT_EQ(without_events(released), released) << "nothing is left to be released";
}

TEST(Held, RelationsOfAModelWithWhenClausesStay) {
  ModelBuilder m("M");
  const Expr x = m.variable("x");
  m.equation(der(x) == if_else(x < 1.0, 1.0, 2.0));
  m.reinit(m.when(x > 3.0), x, Expr(0.0));
  const auto model = std::make_shared<const Model>(m.build());
  EXPECT_EQ(without_events(model), model);
}

TEST(Held, ARelationThatOccursOftenIsHeldOnce) {
  ModelBuilder m("M");
  const Expr x = m.variable("x");
  Expr sum = 0.0;
  for (int k = 0; k < 100; ++k) sum = sum + if_else(x < static_cast<double>(k % 10), x, 0.0);
  m.equation(der(x) == sum);
  m.equation(m.variable("y") == if_else(x < 3.0, 1.0, 2.0));
  EXPECT_THAT(m.build().discrete.held, SizeIs(10));
}

TEST(Discrete, VariablesAreFoundByTheirLeaves) {
  ModelBuilder m("M");
  std::vector<Expr> all;
  for (int k = 0; k < 5; ++k) {
    all.push_back(m.discrete("n" + std::to_string(k)));
    m.parameter("p" + std::to_string(k), 1.0);
    m.discrete_equation(all.back() == m.pre(all.back()));
  }
  const Model model = m.build();
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(discrete_variable_of(model, model.pool->parameter(model.discrete.variables[k].value)), k);
    EXPECT_EQ(discrete_variable_of(model, model.pool->parameter(model.discrete.variables[k].pre)), k);
  }
  EXPECT_EQ(discrete_variable_of(model, model.pool->parameter(ParamId{2})), std::nullopt) << "p0";
}

}  // namespace
}  // namespace driftless
