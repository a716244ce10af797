#include "driftless/expr/pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

class PoolTest : public testing::Test {
 protected:
  Pool pool;
  NodeId x = pool.variable(VarId{0});
  NodeId y = pool.variable(VarId{1});
  NodeId z = pool.variable(VarId{2});
  NodeId c(double value) { return pool.constant(value); }
};

TEST(Node, HasSixteenBytes) { EXPECT_EQ(sizeof(Node), 16u); }

TEST_F(PoolTest, EqualExpressionsAreOneNode) {
  EXPECT_EQ(pool.add(pool.mul(x, y), z), pool.add(pool.mul(x, y), z));
  EXPECT_EQ(pool.add(x, y), pool.add(y, x));
  EXPECT_EQ(pool.mul(x, y), pool.mul(y, x));
  EXPECT_NE(pool.sub(x, y), pool.sub(y, x));
  EXPECT_NE(pool.binary(Op::Less, x, y), pool.binary(Op::Less, y, x));
  EXPECT_EQ(pool.binary(Op::Equal, x, y), pool.binary(Op::Equal, y, x));
  EXPECT_NE(pool.variable(VarId{0}, 1), x);
  EXPECT_EQ(pool.variable(VarId{0}, 1), pool.variable(VarId{0}, 1));
}

TEST(UpperPool, SharesTheLowerOneAndAddsToItself) {
  const auto lower = std::make_shared<Pool>();
  const NodeId x = lower->variable(VarId{0}), y = lower->variable(VarId{1}), sum = lower->add(x, y);
  const std::size_t before = lower->size();
  lower->freeze();
  const auto upper = growable(lower);
  EXPECT_NE(upper, lower);
  EXPECT_EQ(growable(upper), upper);
  EXPECT_EQ(upper->add(y, x), sum);
  const NodeId product = upper->mul(x, y);
  EXPECT_EQ(index(product), before);
  EXPECT_EQ(upper->mul(y, x), product);
  EXPECT_EQ(upper->size(), before + 1);
  EXPECT_EQ(lower->size(), before);
  EXPECT_EQ((*upper)[product].operand(0), x);
  EXPECT_EQ((*upper)[sum], (*lower)[sum]);

  upper->freeze();
  Pool third(upper);  // on top of a pool that lies on top of another one
  EXPECT_EQ(third.mul(x, y), product);
  const NodeId sine = third.unary(Op::Sin, product);
  EXPECT_EQ(index(sine), before + 1);
  EXPECT_EQ(upper->size(), before + 1);
}

TEST(UpperPool, GrowsFarBeyondItsFirstTable) {
  const auto lower = std::make_shared<Pool>();
  const NodeId x = lower->variable(VarId{0});
  lower->freeze();
  Pool upper(lower);
  std::vector<NodeId> made;
  for (int k = 0; k < 5000; ++k) made.push_back(upper.mul(upper.constant(2.5 + k), x));
  for (int k = 0; k < 5000; ++k) EXPECT_EQ(upper.mul(upper.constant(2.5 + k), x), made[k]);
}

TEST(FrozenPool, RefusesNewExpressionsOnly) {
  const auto lower = std::make_shared<Pool>();
  const NodeId x = lower->variable(VarId{0}), y = lower->variable(VarId{1}), sum = lower->add(x, y);
  lower->freeze();
  EXPECT_EQ(lower->add(y, x), sum);
  EXPECT_THROW(lower->mul(x, y), std::logic_error);
  EXPECT_THROW(lower->constant(7.25), std::logic_error);
}

TEST_F(PoolTest, KeepsTheOrderFirstWritten) {
  const NodeId first = pool.add(z, x);
  EXPECT_EQ(pool.add(x, z), first);
  EXPECT_EQ(pool[first].operand(0), z);
}

TEST_F(PoolTest, NeutralAndAbsorbingElementsVanish) {
  const NodeId zero = c(0), one = c(1);
  EXPECT_EQ(pool.add(x, zero), x);
  EXPECT_EQ(pool.add(zero, x), x);
  EXPECT_EQ(pool.sub(x, zero), x);
  EXPECT_EQ(pool.sub(zero, x), pool.neg(x));
  EXPECT_EQ(pool.mul(x, one), x);
  EXPECT_EQ(pool.mul(x, zero), zero);
  EXPECT_EQ(pool.mul(x, c(-1)), pool.neg(x));
  EXPECT_EQ(pool.div(x, one), x);
  EXPECT_EQ(pool.div(x, c(-1)), pool.neg(x));
  EXPECT_EQ(pool.div(zero, x), zero);
  EXPECT_EQ(pool.sub(x, x), zero);
  EXPECT_EQ(pool.pow(x, zero), one);
  EXPECT_EQ(pool.pow(x, one), x);
  EXPECT_EQ(pool.pow(one, x), one);
  EXPECT_EQ(pool.add(x, x), pool.mul(c(2), x));
}

TEST_F(PoolTest, QuotientOfEqualsStaysBecauseItHasNoValueAtZero) { EXPECT_EQ(pool[pool.div(x, x)].op, Op::Div); }

TEST_F(PoolTest, SignsMoveOutwards) {
  EXPECT_EQ(pool.neg(pool.neg(x)), x);
  EXPECT_EQ(pool.add(x, pool.neg(y)), pool.sub(x, y));
  EXPECT_EQ(pool.add(pool.neg(x), y), pool.sub(y, x));
  EXPECT_EQ(pool.sub(x, pool.neg(y)), pool.add(x, y));
  EXPECT_EQ(pool.sub(pool.neg(x), pool.neg(y)), pool.sub(y, x));
  EXPECT_EQ(pool.neg(pool.sub(x, y)), pool.sub(y, x));
  EXPECT_EQ(pool.mul(pool.neg(x), pool.neg(y)), pool.mul(x, y));
  EXPECT_EQ(pool.mul(pool.neg(x), y), pool.neg(pool.mul(x, y)));
  EXPECT_EQ(pool.div(x, pool.neg(y)), pool.neg(pool.div(x, y)));
  EXPECT_EQ(pool.div(pool.neg(x), pool.neg(y)), pool.div(x, y));
  EXPECT_EQ(pool.add(x, c(-1)), pool.sub(x, c(1)));
  EXPECT_EQ(pool.add(x, pool.mul(c(-2), y)), pool.sub(x, pool.mul(c(2), y)));
  EXPECT_EQ(pool.pow(pool.neg(x), c(2)), pool.pow(x, c(2)));
  EXPECT_NE(pool.pow(pool.neg(x), c(3)), pool.pow(x, c(3)));
  EXPECT_EQ(pool.unary(Op::Abs, pool.neg(x)), pool.unary(Op::Abs, x));
}

TEST_F(PoolTest, ConstantsOfProductsMerge) {
  EXPECT_EQ(pool.mul(x, c(2)), pool.mul(c(2), x));
  EXPECT_EQ(pool.mul(c(2), pool.mul(c(3), x)), pool.mul(c(6), x));
  EXPECT_EQ(pool.mul(c(2), pool.neg(x)), pool.mul(c(-2), x));
  EXPECT_EQ(pool.neg(pool.mul(c(2), x)), pool.mul(c(-2), x));
  EXPECT_EQ(pool.mul(c(0.5), pool.mul(c(2), x)), x);
}

TEST_F(PoolTest, ConstantsDoNotMergeIntoOverflowOrUnderflow) {
  const auto at_1e300 = [](NodeId) { return 1e300; };
  const auto at_tiny = [](NodeId) { return 1e-300; };
  EXPECT_DOUBLE_EQ(evaluate(pool, pool.mul(c(1e-200), pool.mul(c(1e-200), x)), at_1e300), 1e-100);
  EXPECT_DOUBLE_EQ(evaluate(pool, pool.mul(c(1e200), pool.mul(c(1e200), x)), at_tiny), 1e100);
}

TEST_F(PoolTest, ConstantsFoldUnlessTheValueIsNotFinite) {
  EXPECT_EQ(pool.add(c(2), c(3)), c(5));
  EXPECT_EQ(pool.unary(Op::Sqrt, c(9)), c(3));
  EXPECT_EQ(pool.binary(Op::Less, c(1), c(2)), c(1));
  EXPECT_EQ(pool[pool.div(c(1), c(0))].op, Op::Div);
  EXPECT_EQ(pool[pool.div(c(0), c(0))].op, Op::Div);
  EXPECT_EQ(pool[pool.unary(Op::Log, c(-1))].op, Op::Log);
  EXPECT_EQ(pool[pool.mul(c(1e200), c(1e200))].op, Op::Mul);
  EXPECT_EQ(c(-0.0), c(0.0));
}

TEST_F(PoolTest, LogicFoldsWithConstants) {
  const NodeId p = pool.binary(Op::Less, x, y);
  EXPECT_EQ(pool.binary(Op::And, p, c(1)), p);
  EXPECT_EQ(pool.binary(Op::And, c(0), p), c(0));
  EXPECT_EQ(pool.binary(Op::Or, p, c(0)), p);
  EXPECT_EQ(pool.binary(Op::Or, c(5), p), c(1));
  EXPECT_EQ(pool.unary(Op::Not, pool.unary(Op::Not, p)), p);
  EXPECT_NE(pool.unary(Op::Not, pool.unary(Op::Not, x)), x);  // not not 5 is 1
  EXPECT_EQ(pool.if_else(c(1), x, y), x);
  EXPECT_EQ(pool.if_else(c(0), x, y), y);
  EXPECT_EQ(pool.if_else(p, x, x), x);
  EXPECT_EQ(pool.if_else(pool.unary(Op::Not, p), x, y), pool.if_else(p, y, x));
}

TEST_F(PoolTest, OperandsHaveSmallerHandles) {
  RandomExpressions random(pool, 7);
  for (int i = 0; i < 100; ++i) random(30, false);
  NodeId buffer[3];
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    for (const NodeId operand : pool.operands(NodeId{i}, buffer)) EXPECT_LT(index(operand), i);
  }
}

bool negative(const Pool& pool, NodeId id) {
  const Node& n = pool[id];
  const auto below_zero = [&](NodeId k) { return pool.is_constant(k) && pool.constant_value(k) < 0; };
  return n.op == Op::Neg || below_zero(id) || ((n.op == Op::Mul || n.op == Op::Div) && below_zero(n.operand(0)));
}

TEST_F(PoolTest, CanonicalFormHoldsForRandomExpressions) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) RandomExpressions(pool, seed)(40, false);
  ASSERT_GT(pool.size(), 3000u);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    const Node& n = pool[NodeId{i}];
    const NodeId a{n.a}, b{n.b};
    switch (n.op) {
      case Op::Add:
        EXPECT_FALSE(negative(pool, a));
        EXPECT_FALSE(negative(pool, b));
        EXPECT_FALSE(pool.is_constant(a, 0) || pool.is_constant(b, 0));
        EXPECT_NE(a, b);
        break;
      case Op::Sub:
        EXPECT_FALSE(negative(pool, b));
        EXPECT_FALSE(pool.is_constant(a, 0) || pool.is_constant(b, 0));
        EXPECT_NE(a, b);
        break;
      case Op::Mul:
        EXPECT_FALSE(pool.is_constant(b));
        EXPECT_FALSE(negative(pool, b));
        EXPECT_TRUE(pool.is_constant(a) || !negative(pool, a));
        EXPECT_FALSE(pool.is_constant(a, 0) || pool.is_constant(a, 1) || pool.is_constant(a, -1));
        break;
      case Op::Div:
        EXPECT_FALSE(negative(pool, b));
        EXPECT_TRUE(pool.is_constant(a) || !negative(pool, a));
        EXPECT_FALSE(pool.is_constant(b, 1));
        break;
      case Op::Neg:
        EXPECT_FALSE(pool.is_constant(a));
        EXPECT_TRUE(pool[a].op != Op::Neg && pool[a].op != Op::Sub);
        break;
      default: break;
    }
  }
}

TEST_F(PoolTest, SimplificationKeepsTheValue) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    RandomExpressions random(pool, seed);
    const Valued e = random(25, true);
    const double value = evaluate(pool, e.node, [&](NodeId leaf) { return random.point()(pool, leaf); });
    EXPECT_NEAR(value, e.value, 1e-9 * (1 + std::fabs(e.value))) << "seed " << seed;
  }
}

// Without merged constants no rewrite rounds differently, and discontinuous operations get exactly the same numbers:
// integers are exact throughout.
TEST_F(PoolTest, SimplificationKeepsLogicExactly) {
  std::mt19937 generator(3);
  const std::vector<Op> ops = {Op::Add, Op::Sub, Op::Mul,  Op::Neg,       Op::Abs,   Op::Sign,
                               Op::Min, Op::Max, Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual,
                               Op::And, Op::Or,  Op::Not,  Op::IfElse};
  for (int round = 0; round < 3000; ++round) {
    std::vector<Valued> made;
    for (int v = 0; v < 4; ++v) made.push_back({pool.variable(VarId{v}), v - 2.0});
    for (const double k : {-2.0, -1.0, 0.0, 1.0, 2.0}) made.push_back({c(k), k});
    for (int i = 0; i < 15; ++i) {
      const Op op = ops[generator() % ops.size()];
      const Valued p = made[generator() % made.size()], q = made[generator() % made.size()];
      const Valued r = made[generator() % made.size()];
      const double value = apply(op, p.value, q.value, r.value);
      if (std::fabs(value) > 1e6) continue;
      made.push_back({arity(op) == 1   ? pool.unary(op, p.node)
                      : arity(op) == 2 ? pool.binary(op, p.node, q.node)
                                       : pool.if_else(p.node, q.node, r.node),
                      value});
    }
    for (const Valued& e : made) {
      EXPECT_EQ(evaluate(pool, e.node, [&](NodeId leaf) { return pool[leaf].a - 2.0; }), e.value) << "round " << round;
    }
  }
}

TEST_F(PoolTest, AMillionNodesInWellUnderASecond) {
  const auto start = std::chrono::steady_clock::now();
  NodeId sum = x;
  for (int i = 0; i < 500'000; ++i) sum = pool.add(sum, pool.mul(pool.variable(VarId{i}), y));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_GT(pool.size(), 1'400'000u);
  EXPECT_LT(elapsed.count(), 5.0);  // 0.2 s on an idle machine; quadratic probing costs would take minutes
}

}  // namespace
}  // namespace driftless
