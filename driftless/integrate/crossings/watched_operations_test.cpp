#include "driftless/integrate/crossings/watched_operations.hpp"

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

// An equation names the sum s; d is of either sign.
TEST(WatchedOperations, SumsOfSquaresAreNeverNegativeAlsoByName) {
  ModelBuilder m("Named");
  const Expr x = m.variable("x"), s = m.variable("s"), d = m.variable("d");
  m.equation(der(x) == -x);
  m.equation(s == x * x + 1.0);
  m.equation(d == x - 1.0);
  const Model model = m.build();
  Pool& pool = *model.pool;
  const auto values = explicit_values(model);
  const auto leaf = [&](int j) { return pool.variable(VarId{j}, 0); };
  const NodeId square = pool.pow(leaf(0), pool.constant(2.0));
  EXPECT_TRUE(is_never_negative(pool, values, square));
  EXPECT_TRUE(is_never_negative(pool, values, pool.add(square, leaf(1))));
  EXPECT_FALSE(is_never_negative(pool, values, leaf(0)));
  EXPECT_FALSE(is_never_negative(pool, values, leaf(2)));
  EXPECT_FALSE(is_never_negative(pool, values, pool.add(square, pool.constant(-1.0))));
}

TEST(WatchedOperations, AreUsedUnderTheConditionsOfTheirBranches) {
  ModelBuilder m("Branches");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 1.0);
  m.equation(y == if_else(x < 1.0, 1.0 / (x - 2.0), 1.0 / (x + 2.0)));
  const Model model = m.build();
  Pool& pool = *model.pool;
  const auto conditions = conditions_of_use(pool, model);
  const NodeId x_leaf = pool.variable(VarId{0}, 0), two = pool.constant(2.0);
  NodeId condition = pool.zero();  // relations are held in the model
  for (const NodeId id : nodes_of(pool, model.equations[1].residual))
    if (pool[id].op == Op::IfElse) condition = pool[id].operand(0);
  EXPECT_EQ(conditions.at(pool.div(pool.one(), pool.sub(x_leaf, two))), condition);
  EXPECT_EQ(conditions.at(pool.div(pool.one(), pool.add(x_leaf, two))), pool.unary(Op::Not, condition));
}

}  // namespace
}  // namespace driftless
