#include "driftless/expr/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Bounds : testing::Test {
  Pool pool;
  NodeId x = pool.variable(VarId{0}, 0), y = pool.variable(VarId{1}, 0);
  NodeId number(double value) { return pool.constant(value); }
  Interval of(NodeId expression) {
    return bounds_of(pool, expression, [](const Node& leaf) {
      return leaf.op == Op::Parameter ? Interval{0.4, 0.4} : Interval{};
    });
  }
  void expect(NodeId expression, double low, double high) {
    const Interval bounds = of(expression);
    EXPECT_DOUBLE_EQ(bounds.low, low);
    EXPECT_DOUBLE_EQ(bounds.high, high);
  }
};

TEST_F(Bounds, OfDenominatorsThatNeverVanish) {
  expect(pool.add(number(1.0), pool.unary(Op::Exp, x)), 1.0, infinity);
  expect(pool.add(number(1.0), pool.mul(pool.parameter(ParamId{0}), pool.unary(Op::Cos, x))), 0.6, 1.4);
  const NodeId squares = pool.add(pool.pow(x, number(2.0)), number(1e-4));
  expect(pool.unary(Op::Sqrt, squares), 1e-2, infinity);
  expect(pool.sub(number(3.0), pool.unary(Op::Tanh, x)), 2.0, 4.0);
}

TEST_F(Bounds, OfWhatMayVanish) {
  expect(x, -infinity, infinity);
  expect(pool.add(number(1.0), pool.unary(Op::Sin, x)), 0.0, 2.0);
  expect(pool.add(number(1.0), pool.pow(x, number(3.0))), -infinity, infinity);
  expect(pool.add(number(1.0), pool.mul(x, y)), -infinity, infinity);
  expect(pool.unary(Op::Log, x), -infinity, infinity);
}

TEST_F(Bounds, OfProductsAndQuotients) {
  const NodeId sine = pool.unary(Op::Sin, x), large = pool.add(number(3.0), pool.unary(Op::Cos, y));
  expect(pool.mul(sine, large), -4.0, 4.0);
  expect(pool.div(sine, large), -0.5, 0.5);
  expect(pool.div(large, sine), -infinity, infinity);
  expect(pool.mul(number(0.0), pool.unary(Op::Exp, x)), 0.0, 0.0);
}

TEST_F(Bounds, OfSquaresAndOddPowers) {
  expect(pool.add(number(1.0), pool.mul(x, x)), 1.0, infinity);
  const NodeId between = pool.sub(number(3.0), pool.mul(number(2.0), pool.unary(Op::Sin, x)));  // 1 ... 5
  expect(pool.pow(pool.sub(between, number(2.0)), number(3.0)), -1.0, 27.0);
  expect(pool.pow(pool.sub(between, number(2.0)), number(-3.0)), -infinity, infinity);
}

// Rounding may put a value outside of bounds that are not widened: 0.1 + 0.2 is more than 0.3.
TEST_F(Bounds, AreWidenedWhereOneMustBeSure) {
  const auto everything = [](const Node&) { return Interval{}; };
  const NodeId parts = pool.mul(number(3.0), pool.unary(Op::Sin, x));
  const Interval wide = bounds_of(pool, parts, everything, 1e-14);
  EXPECT_LT(wide.low, -3.0);
  EXPECT_GT(wide.high, 3.0);
  EXPECT_NEAR(wide.high, 3.0, 1e-13);
  EXPECT_EQ(bounds_of(pool, pool.mul(x, x), everything, 1e-14).low, 0.0);
}

// An expression lies within its bounds for all values of its variables.
TEST(BoundsOfRandomExpressions, HoldEverywhere) {
  constexpr double parameter = 0.7;
  int bounded = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    Pool pool;
    const NodeId expression = RandomExpressions(pool, seed)(8, false).node;
    const auto of_leaf = [&](const Node& leaf) {
      return leaf.op == Op::Parameter ? Interval{parameter, parameter} : Interval{};
    };
    const Interval bounds = bounds_of(pool, expression, of_leaf);
    bounded += std::isfinite(bounds.low) || std::isfinite(bounds.high);
    for (std::uint32_t sample = 0; sample < 20; ++sample) {
      const RandomPoint point(1000 + 20 * seed + sample);
      const double value = evaluate(pool, expression, [&](NodeId leaf) {
        return pool[leaf].op == Op::Parameter ? parameter : point(pool, leaf);
      });
      if (std::isnan(value)) continue;
      const double rounding = 1e-9 * (1.0 + std::abs(value));
      EXPECT_GE(value, bounds.low - rounding) << seed;
      EXPECT_LE(value, bounds.high + rounding) << seed;
    }
  }
  EXPECT_GT(bounded, 100) << "otherwise the test says nothing";
}

// The same where the variables stay within ranges, wide and narrow ones.
TEST(BoundsOfRandomExpressions, HoldWithinRanges) {
  int narrow = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Pool pool;
    const NodeId expression = RandomExpressions(pool, seed)(8, false).node;
    const double width = seed % 2 == 0 ? 1.5 : 0.01;
    const auto middle = [&](const Node& leaf) { return 2.0 * std::sin(1.0 + seed + 3.0 * leaf.a + leaf.b); };
    const Interval bounds = bounds_of(pool, expression, [&](const Node& leaf) {
      return Interval{middle(leaf) - width, middle(leaf) + width};
    });
    narrow += bounds.high - bounds.low < 1.0;
    for (int sample = 0; sample <= 20; ++sample) {
      const double value = evaluate(pool, expression, [&](NodeId leaf) {
        return middle(pool[leaf]) + width * std::cos(sample * (1.0 + pool[leaf].a + 0.3 * pool[leaf].b));
      });
      if (std::isnan(value)) continue;
      const double rounding = 1e-9 * (1.0 + std::abs(value));
      EXPECT_GE(value, bounds.low - rounding) << seed;
      EXPECT_LE(value, bounds.high + rounding) << seed;
    }
  }
  EXPECT_GT(narrow, 200) << "otherwise the test says nothing";
}

TEST_F(Bounds, OfAnglesAndRelations) {
  const auto between = [&](NodeId expression, double low, double high) {
    return bounds_of(pool, expression, [&](const Node&) { return Interval{low, high}; });
  };
  const NodeId sine = pool.unary(Op::Sin, x), cosine = pool.unary(Op::Cos, x);
  EXPECT_EQ(between(sine, 1.5, 1.6).high, 1.0);
  EXPECT_DOUBLE_EQ(between(sine, 1.5, 1.6).low, std::sin(1.5));
  EXPECT_EQ(between(sine, 101.0, 107.2).low, -1.0);
  EXPECT_DOUBLE_EQ(between(sine, 0.1, 0.2).high, std::sin(0.2));
  EXPECT_EQ(between(cosine, -0.1, 0.2).high, 1.0);
  EXPECT_EQ(between(cosine, 3.1, 3.2).low, -1.0);
  EXPECT_DOUBLE_EQ(between(pool.unary(Op::Log, x), 1.0, 2.0).high, std::log(2.0));
  EXPECT_DOUBLE_EQ(between(pool.pow(x, number(-2.0)), -4.0, -2.0).low, 1.0 / 16.0);
  const auto is = [](Interval bounds, double low, double high) { return bounds.low == low && bounds.high == high; };
  EXPECT_TRUE(is(bounds_where_all_exist(Op::Less, {0.0, 1.9}, {2.0, 2.0}, {}), 1.0, 1.0));
  EXPECT_TRUE(is(bounds_where_all_exist(Op::Less, {2.0, 3.0}, {2.0, 2.0}, {}), 0.0, 0.0));
  EXPECT_TRUE(is(bounds_where_all_exist(Op::LessEqual, {1.0, 2.0}, {2.0, 2.0}, {}), 1.0, 1.0));
  EXPECT_TRUE(is(bounds_where_all_exist(Op::LessEqual, {1.0, 3.0}, {2.0, 2.0}, {}), 0.0, 1.0));
  EXPECT_TRUE(is(bounds_where_all_exist(Op::IfElse, {1.0, 1.0}, {2.0, 3.0}, {7.0, 8.0}), 2.0, 3.0));
  EXPECT_TRUE(is(bounds_where_all_exist(Op::IfElse, {0.0, 1.0}, {2.0, 3.0}, {7.0, 8.0}), 2.0, 8.0));
}

}  // namespace
}  // namespace driftless
