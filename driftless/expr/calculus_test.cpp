#include "driftless/expr/calculus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <complex>

#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;

class CalculusTest : public testing::Test {
 protected:
  Pool pool;
  TimeDerivative ddt{pool};
  NodeId t = pool.time();
  NodeId x = pool.variable(VarId{0});
  NodeId y = pool.variable(VarId{1});
  NodeId p = pool.parameter(ParamId{0});

  NodeId c(double value) { return pool.constant(value); }
  NodeId der(NodeId leaf, int order = 1) { return pool.variable(VarId{static_cast<int>(pool[leaf].a)}, order); }
  NodeId sin(NodeId a) { return pool.unary(Op::Sin, a); }
  NodeId exp(NodeId a) { return pool.unary(Op::Exp, a); }
  NodeId sqrt(NodeId a) { return pool.unary(Op::Sqrt, a); }

  double at(NodeId e, double value) {
    return evaluate(pool, e, [=](NodeId) { return value; });
  }

  // Fourth-order central difference of the expression by one leaf.
  double difference_quotient(NodeId e, NodeId leaf, const std::function<double(NodeId)>& point) {
    const double h = 1e-3;
    const auto f = [&](double shift) {
      return evaluate(pool, e, [&](NodeId l) { return point(l) + (l == leaf ? shift : 0.0); });
    };
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  }
};

TEST_F(CalculusTest, ElementaryDerivativesMatchDifferenceQuotients) {
  struct Case {
    Op op;
    double at;
  };
  const std::vector<Case> cases = {
      {Op::Neg, 0.4},  {Op::Sqrt, 0.8}, {Op::Exp, 0.3},   {Op::Log, 1.7},   {Op::Log10, 1.7}, {Op::Sin, 0.5},
      {Op::Cos, 0.5},  {Op::Tan, 0.5},  {Op::Asin, 0.4},  {Op::Acos, 0.4},  {Op::Atan, -1.4}, {Op::Sinh, 0.7},
      {Op::Cosh, 0.7}, {Op::Tanh, 0.7}, {Op::Asinh, 0.7}, {Op::Acosh, 1.7}, {Op::Atanh, 0.3}, {Op::Abs, -0.3},
      {Op::Abs, 0.3},  {Op::Sign, 0.3}, {Op::Floor, 0.5}, {Op::Ceil, 0.5},
  };
  for (const Case& k : cases) {
    const NodeId e = pool.unary(k.op, x);
    const double expected = difference_quotient(e, x, [&](NodeId) { return k.at; });
    EXPECT_NEAR(at(partial(pool, e, x), k.at), expected, 1e-9) << "op " << static_cast<int>(k.op);
  }
}

TEST_F(CalculusTest, BinaryDerivativesMatchDifferenceQuotients) {
  const auto point = [&](NodeId leaf) { return leaf == x ? 1.3 : 0.6; };
  for (const Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Pow, Op::Atan2, Op::Min, Op::Max}) {
    const NodeId e = pool.binary(op, x, y);
    for (const NodeId leaf : {x, y}) {
      EXPECT_NEAR(evaluate(pool, partial(pool, e, leaf), point), difference_quotient(e, leaf, point), 1e-9)
          << "op " << static_cast<int>(op);
    }
  }
}

TEST_F(CalculusTest, TimeDerivativeOfLeaves) {
  EXPECT_EQ(ddt(t), c(1));
  EXPECT_EQ(ddt(p), c(0));
  EXPECT_EQ(ddt(c(3)), c(0));
  EXPECT_EQ(ddt(x), der(x));
  EXPECT_EQ(ddt(x, 3), der(x, 3));
}

TEST_F(CalculusTest, DerivativesReuseTheNodesTheyContain) {
  EXPECT_EQ(ddt(exp(x)), pool.mul(exp(x), der(x)));
  EXPECT_EQ(ddt(sqrt(x)), pool.div(der(x), pool.mul(c(2), sqrt(x))));
  EXPECT_EQ(ddt(pool.pow(x, c(2))), pool.mul(pool.mul(c(2), x), der(x)));
  EXPECT_EQ(ddt(pool.mul(p, x)), pool.mul(p, der(x)));
}

// Im (2+3i)^4 e^((2+3i)t) is the fourth derivative of e^2t sin 3t.
TEST_F(CalculusTest, FourthDerivativeOfAnOscillation) {
  const NodeId e = pool.mul(exp(pool.mul(c(2), t)), sin(pool.mul(c(3), t)));
  const std::complex<double> w(2, 3);
  for (int order = 0; order <= 4; ++order) {
    const double expected = (std::pow(w, order) * std::exp(w * 0.37)).imag();
    EXPECT_NEAR(at(ddt(e, order), 0.37), expected, 1e-12 * std::fabs(expected));
  }
}

// With x = t^2: d^4/dt^4 of x^5 = t^10, of sqrt x = t, of log x = 2 log t, of 1/x = t^-2.
TEST_F(CalculusTest, FourthDerivativesAlongAParabola) {
  const double s = 1.3;
  const auto along = [&](NodeId leaf) {
    const double derivatives[] = {s * s, 2 * s, 2, 0, 0};
    return derivatives[pool[leaf].b];
  };
  const auto fourth = [&](NodeId e) { return evaluate(pool, ddt(e, 4), along); };
  EXPECT_NEAR(fourth(pool.pow(x, c(5))), 5040 * std::pow(s, 6), 1e-9);
  EXPECT_NEAR(fourth(sqrt(x)), 0, 1e-11);
  EXPECT_NEAR(fourth(pool.unary(Op::Log, x)), -12 / std::pow(s, 4), 1e-11);
  EXPECT_NEAR(fourth(pool.div(c(1), x)), 120 / std::pow(s, 6), 1e-10);
  EXPECT_NEAR(fourth(pool.pow(x, pool.div(x, x))), 0, 1e-9);  // an exponent that only seems to vary
  EXPECT_NEAR(fourth(pool.unary(Op::Atan, pool.unary(Op::Tan, x))), 0, 1e-8);
}

TEST_F(CalculusTest, FourthDerivativeOfAProductIsLeibniz) {
  const RandomPoint point(5);
  double expected = 0;
  const double binomial[] = {1, 4, 6, 4, 1};
  for (int k = 0; k <= 4; ++k) expected += binomial[k] * point(VarId{0}, k) * point(VarId{1}, 4 - k);
  const double value = evaluate(pool, ddt(pool.mul(x, y), 4), [&](NodeId leaf) { return point(pool, leaf); });
  EXPECT_NEAR(value, expected, 1e-12);
}

TEST_F(CalculusTest, ManyDerivativesOfASharedProductStaySmall) {
  NodeId product = c(1);
  for (int v = 0; v < 8; ++v) product = pool.mul(product, sin(pool.variable(VarId{v})));
  ddt(product, 6);
  EXPECT_LT(pool.size(), 5000u);
}

TEST_F(CalculusTest, PowersAtZero) {
  EXPECT_EQ(at(ddt(pool.pow(t, c(3)), 3), 0.0), 6);
  const NodeId e = pool.pow(x, y);
  const auto point = [&](NodeId leaf) { return leaf == x ? 0.0 : 2.0; };
  EXPECT_EQ(evaluate(pool, partial(pool, e, x), point), 0);
  EXPECT_EQ(evaluate(pool, partial(pool, e, y), point), 0);
  EXPECT_NEAR(at(partial(pool, pool.pow(c(2), x), x), 3), 8 * std::log(2), 1e-14);
}

TEST_F(CalculusTest, TheBranchNotTakenDoesNotDisturb) {
  const NodeId positive = pool.binary(Op::Less, c(0), x);
  const NodeId e = pool.mul(c(3), pool.if_else(positive, sqrt(x), c(0)));
  ASSERT_EQ(gradient(pool, e).size(), 1u);
  EXPECT_EQ(at(gradient(pool, e)[0].derivative, -1), 0);
  EXPECT_EQ(at(gradient(pool, e)[0].derivative, 0), 0);
  EXPECT_EQ(at(gradient(pool, e)[0].derivative, 4), 0.75);
  EXPECT_EQ(at(partial(pool, e, x), -1), 0);
  const NodeId smaller = pool.binary(Op::Max, sqrt(x), c(-1));
  EXPECT_EQ(at(gradient(pool, pool.binary(Op::Min, x, smaller))[0].derivative, 0.25), 1);
}

TEST_F(CalculusTest, GradientIsSortedAndSparse) {
  const NodeId e = pool.add(pool.mul(der(y), x), pool.sub(pool.mul(p, der(x, 2)), pool.unary(Op::Floor, y)));
  std::vector<NodeId> leaves;
  for (const Partial& g : gradient(pool, e)) leaves.push_back(g.leaf);
  EXPECT_THAT(leaves, ElementsAre(x, der(x, 2), der(y)));
  EXPECT_THAT(variables_of(pool, e), ElementsAre(x, der(x, 2), y, der(y)));
  EXPECT_TRUE(gradient(pool, c(4)).empty());
  EXPECT_EQ(gradient(pool, x)[0].derivative, c(1));
}

TEST_F(CalculusTest, GradientOfRandomExpressionsMatchesForwardModeAndDifferences) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    RandomExpressions random(pool, seed);
    const NodeId e = random(20, true).node;
    const auto point = [&](NodeId leaf) { return random.point()(pool, leaf); };
    for (const Partial& g : gradient(pool, e)) {
      const double reverse = evaluate(pool, g.derivative, point);
      const double forward = evaluate(pool, partial(pool, e, g.leaf), point);
      ASSERT_NEAR(reverse, forward, 1e-8 * (1 + std::fabs(forward))) << "seed " << seed;
      const double quotient = difference_quotient(e, g.leaf, point);
      const double coarse = std::fabs(difference_quotient(g.derivative, g.leaf, point));
      if (!std::isfinite(quotient) || std::fabs(quotient) > 100 || !(coarse < 100)) continue;  // next to a pole
      EXPECT_NEAR(reverse, quotient, 1e-5 * (1 + std::fabs(quotient))) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST_F(CalculusTest, GradientOfPiecewiseExpressionsMatchesForwardMode) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    RandomExpressions random(pool, seed);
    const NodeId e = random(30, false).node;
    const auto point = [&](NodeId leaf) { return random.point()(pool, leaf); };
    for (const Partial& g : gradient(pool, e)) {
      const double reverse = evaluate(pool, g.derivative, point);
      const double forward = evaluate(pool, partial(pool, e, g.leaf), point);
      if (!std::isfinite(forward)) continue;
      EXPECT_NEAR(reverse, forward, 1e-7 * (1 + std::fabs(forward))) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST_F(CalculusTest, GradientOfALongSumIsLinear) {
  const int n = 100'000;
  NodeId sum = c(0);
  for (int v = 0; v < n; ++v) sum = pool.add(sum, pool.pow(pool.variable(VarId{v}), c(2)));
  const std::size_t before = pool.size();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Partial> g = gradient(pool, sum);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(g.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(g[777].derivative, pool.mul(c(2), pool.variable(VarId{777})));
  EXPECT_LE(pool.size() - before, static_cast<std::size_t>(2 * n));
  EXPECT_LT(elapsed.count(), 5.0);  // n walks would take many minutes
}

TEST_F(CalculusTest, AChainOfAMillionOperationsDoesNotOverflowTheStack) {
  NodeId chain = x;
  for (int i = 0; i < 500'000; ++i) chain = sin(pool.add(chain, y));
  EXPECT_EQ(variables_of(pool, chain).size(), 2u);
  EXPECT_TRUE(std::isfinite(at(chain, 0.1)));
  EXPECT_TRUE(std::isfinite(at(ddt(chain), 0.1)));
  EXPECT_EQ(gradient(pool, chain).size(), 2u);
  Substitution swap(pool, [&](NodeId leaf) { return std::optional(leaf == x ? y : x); });
  EXPECT_EQ(at(swap(chain), 0.1), at(chain, 0.1));
}

TEST_F(CalculusTest, SubstitutionReplacesLeaves) {
  Substitution s(pool, [&](NodeId leaf) { return leaf == x ? std::optional(c(2)) : std::nullopt; });
  EXPECT_EQ(s(pool.add(pool.pow(x, c(3)), y)), pool.add(c(8), y));
  const NodeId untouched = pool.mul(y, p);
  EXPECT_EQ(s(untouched), untouched);
}

TEST_F(CalculusTest, AnyNode) {
  const NodeId e = pool.add(x, sin(y));
  EXPECT_TRUE(any_node(pool, e, [&](NodeId id) { return pool[id].op == Op::Sin; }));
  EXPECT_FALSE(any_node(pool, e, [&](NodeId id) { return pool[id].op == Op::Time; }));
}

// The table of nodes that were met belongs to one walk at a time.
TEST_F(CalculusTest, AWalkMayBeginAnotherOne) {
  const NodeId e = pool.add(sin(pool.mul(x, y)), exp(pool.mul(x, y)));
  int visits = 0;
  EXPECT_FALSE(any_node(pool, e, [&](NodeId id) {
    ++visits;
    return !any_node(pool, e, [&](NodeId other) { return other == id; });
  }));
  EXPECT_EQ(visits, static_cast<int>(nodes_of(pool, e).size()));
}

TEST_F(CalculusTest, LinearIn) {
  const auto [coefficient, rest] = *linear_in(pool, pool.sub(pool.mul(p, pool.add(x, y)), sin(y)), x);
  EXPECT_EQ(coefficient, p);
  EXPECT_EQ(rest, pool.sub(pool.mul(p, y), sin(y)));
  EXPECT_TRUE(linear_in(pool, pool.div(pool.neg(x), y), x));
  EXPECT_TRUE(pool.is_constant(linear_in(pool, sin(y), x)->coefficient, 0.0));
  for (const NodeId e : {pool.mul(x, x), pool.div(y, x), sin(x), pool.pow(x, c(2)), pool.mul(x, sin(x)),
                         pool.if_else(pool.binary(Op::Less, x, y), x, y)}) {
    EXPECT_FALSE(linear_in(pool, e, x));
  }
}

TEST_F(CalculusTest, LinearPartsAddUp) {
  int found = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    RandomExpressions random(pool, seed);
    const NodeId e = random(8, true).node;
    const auto point = [&](NodeId leaf) { return random.point()(pool, leaf); };
    for (const NodeId leaf : variables_of(pool, e)) {
      const auto parts = linear_in(pool, e, leaf);
      if (!parts) continue;
      ++found;
      for (const NodeId part : {parts->coefficient, parts->rest}) {
        EXPECT_FALSE(any_node(pool, part, [&](NodeId id) { return id == leaf; }));
      }
      const double sum = evaluate(pool, parts->coefficient, point) * point(leaf) + evaluate(pool, parts->rest, point);
      EXPECT_NEAR(sum, evaluate(pool, e, point), 1e-10 * (1 + std::fabs(sum)));
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace driftless
