#include "driftless/expr/parameter_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

TEST(ParameterTerms, AreTheLargestOnesAndSharedByAllExpressions) {
  Pool pool;
  const NodeId x = pool.variable(VarId{0}), m = pool.parameter(ParamId{0}), L = pool.parameter(ParamId{1});
  const NodeId inertia = pool.mul(m, pool.mul(L, L));
  ParameterTerms with_terms(pool, VarId{7});
  const NodeId term = pool.variable(VarId{7});
  EXPECT_EQ(with_terms(pool.mul(inertia, x)), pool.mul(term, x));
  EXPECT_EQ(with_terms(pool.add(x, pool.unary(Op::Sin, inertia))), pool.add(x, pool.variable(VarId{8})));
  EXPECT_EQ(with_terms(inertia), term);
  ASSERT_EQ(with_terms.terms().size(), 2u);
  EXPECT_EQ(with_terms.terms()[0], inertia);
}

TEST(ParameterTerms, LeaveSingleParametersNumbersAndTimeAlone) {
  Pool pool;
  const NodeId x = pool.variable(VarId{0}), m = pool.parameter(ParamId{0});
  ParameterTerms with_terms(pool, VarId{1});
  for (const NodeId e : {pool.mul(m, x), pool.mul(pool.constant(2.0), x), m, pool.one(), pool.mul(m, pool.time())})
    EXPECT_EQ(with_terms(e), e);
  EXPECT_TRUE(with_terms.terms().empty());
}

// The value is unchanged for random expressions.
TEST(ParameterTerms, KeepTheValueOfRandomExpressions) {
  constexpr std::uint32_t variables = 3;  // of random expressions
  std::size_t terms = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Pool pool;
    RandomExpressions random(pool, seed);
    const NodeId before = random(30, false).node;
    ParameterTerms with_terms(pool, VarId{variables});
    const NodeId after = with_terms(before);
    terms += with_terms.terms().size();
    const std::function<double(NodeId)> leaf = [&](NodeId id) {
      const Node node = pool[id];
      return node.op == Op::Variable && node.a >= variables
                 ? evaluate(pool, with_terms.terms()[node.a - variables], leaf)
                 : random.point()(pool, id);
    };
    const double a = evaluate(pool, before, leaf), b = evaluate(pool, after, leaf);
    if (std::isfinite(a)) {
      EXPECT_NEAR(a, b, 1e-12 * (1.0 + std::abs(a))) << seed;
    }
  }
  EXPECT_GT(terms, 50u);
}

}  // namespace
}  // namespace driftless
