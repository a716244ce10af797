#include "driftless/expr/constant_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

class ConstantFactors : public testing::Test {
 protected:
  std::string collected(NodeId e) {
    return to_string(pool, collect_constant_factors(pool, e),
                     {.variable = [](VarId id) { return std::string(1, "xyz"[index(id)]); },
                      .parameter = [](ParamId) { return std::string("m"); }});
  }
  NodeId number(double value) { return pool.constant(value); }

  Pool pool;
  NodeId x = pool.variable(VarId{0}), y = pool.variable(VarId{1}), m = pool.parameter(ParamId{0});
};

TEST_F(ConstantFactors, CancelInProductsAndQuotients) {
  EXPECT_EQ(collected(pool.div(pool.mul(m, number(2)), number(2))), "m");
  EXPECT_EQ(collected(pool.neg(pool.div(pool.mul(number(2), x), number(2)))), "-x");
  EXPECT_EQ(collected(pool.mul(pool.mul(number(2), x), pool.mul(number(0.25), y))), "0.5*(x*y)");
  EXPECT_EQ(collected(pool.div(x, pool.mul(number(-2), y))), "-0.5*(x/y)");
}

TEST_F(ConstantFactors, CommonToASumGoInFront) {
  const NodeId both = pool.add(pool.mul(number(2), x), pool.mul(number(2), y));
  EXPECT_EQ(collected(pool.div(both, number(2))), "x + y");
  EXPECT_EQ(collected(pool.add(pool.neg(x), y)), "y - x");
  EXPECT_EQ(collected(pool.add(pool.mul(number(-2), x), pool.mul(number(2), y))), "2*(y - x)");
  EXPECT_EQ(collected(pool.add(pool.mul(number(2), x), y)), "2*x + y");
  EXPECT_EQ(collected(pool.sub(pool.neg(x), pool.mul(number(4), y))), "-(x + 4*y)");
}

TEST_F(ConstantFactors, OtherNumbersAndFunctionsStay) {
  EXPECT_EQ(collected(pool.div(pool.mul(number(3), x), number(3))), "3*x/3") << "a rounded result may differ";
  EXPECT_EQ(collected(pool.unary(Op::Sin, pool.mul(number(2), x))), "sin(2*x)");
  EXPECT_EQ(collected(number(2)), "2");
  EXPECT_EQ(collected(number(-3)), "-3");
}

TEST_F(ConstantFactors, ChangeNoBitOfAValue) {
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    Pool own;
    RandomExpressions random(own, seed);
    const NodeId before = random(25, false).node, after = collect_constant_factors(own, before);
    const auto value = [&](NodeId e) {
      return evaluate(own, e, [&](NodeId leaf) { return random.point()(own, leaf); });
    };
    const double expected = value(before);
    if (!std::isfinite(expected) || std::abs(expected) > 1e100) continue;
    ++compared;
    EXPECT_EQ(value(after), expected) << seed;
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace driftless
