// Derivatives at kinks and at the edges of domains: those of the active expression.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/expr/random_kinks.hpp"

namespace driftless {
namespace {

class KinksTest : public testing::Test {
 protected:
  Pool pool;
  NodeId x = pool.variable(VarId{0});
  NodeId y = pool.variable(VarId{1});
  NodeId p = pool.parameter(ParamId{0});
  NodeId c(double value) { return pool.constant(value); }
  NodeId unary(Op op, NodeId a) { return pool.unary(op, a); }
  NodeId max(NodeId a, NodeId b) { return pool.binary(Op::Max, a, b); }
  NodeId min(NodeId a, NodeId b) { return pool.binary(Op::Min, a, b); }

  double at(NodeId e, double vx, double vy = 0.0, double vp = 0.0) {
    return evaluate(pool, e, [&](NodeId leaf) {
      if (pool[leaf].op == Op::Parameter) return vp;
      return pool[leaf].a == 0 ? vx : vy;
    });
  }

  // The number of choices and switches that are on their edge.
  int ties(NodeId e, double vx, double vp) {
    int found = 0;
    for (const NodeId id : nodes_of(pool, e)) {
      const Node node = pool[id];
      const bool two = node.op == Op::Max || node.op == Op::Min || (node.op >= Op::Less && node.op <= Op::NotEqual);
      if (two) found += at(node.operand(0), vx, 0.0, vp) == at(node.operand(1), vx, 0.0, vp);
      if (node.op == Op::Abs) found += at(node.operand(0), vx, 0.0, vp) == 0.0;
    }
    return found;
  }

  // ∂e/∂x by reverse and by forward mode, which must be the same.
  double slope(NodeId e, double vx, double vy = 0.0, double vp = 0.0) {
    double reverse = 0.0;
    for (const Partial& g : gradient(pool, e))
      if (g.leaf == x) reverse = at(g.derivative, vx, vy, vp);
    const double forward = at(partial(pool, e, x), vx, vy, vp);
    EXPECT_TRUE(reverse == forward || (std::isnan(reverse) && std::isnan(forward)) ||
                std::abs(reverse - forward) <= 1e-12 * std::abs(forward))
        << reverse << " and " << forward;
    return reverse;
  }
};

TEST_F(KinksTest, WhatIsCutOffHasSlopeZeroHoweverSteepItIs) {
  const NodeId level = max(x, c(0));
  for (const NodeId steep :
       {unary(Op::Sqrt, level), pool.pow(level, c(0.3)), pool.pow(level, p), unary(Op::Acosh, pool.add(level, c(1))),
        unary(Op::Asin, pool.sub(c(1), level)), unary(Op::Acos, pool.sub(c(1), level)),
        unary(Op::Sqrt, pool.mul(c(3), level)), unary(Op::Sqrt, min(level, c(2))), pool.mul(y, unary(Op::Sqrt, level)),
        unary(Op::Exp, unary(Op::Sqrt, level)), pool.binary(Op::Atan2, level, level)}) {
    EXPECT_EQ(slope(steep, -1e-9, 2.0, 0.5), 0.0);
    EXPECT_EQ(slope(steep, -3.0, 2.0, 0.5), 0.0);
    EXPECT_EQ(slope(steep, 0.0, 2.0, 0.5), 0.0) << "the constant is taken where both are equal";
  }
  EXPECT_DOUBLE_EQ(slope(unary(Op::Sqrt, level), 4.0), 0.25);
  EXPECT_DOUBLE_EQ(slope(unary(Op::Sqrt, max(c(0), x)), 4.0), 0.25);
  EXPECT_EQ(slope(unary(Op::Sqrt, max(c(0), x)), 0.0), 0.0);
}

TEST_F(KinksTest, FactorsThatAreCutOff) {
  const NodeId level = max(x, c(0));
  EXPECT_EQ(slope(unary(Op::Sqrt, pool.mul(y, level)), -1.0, 3.0), 0.0);
  EXPECT_EQ(slope(unary(Op::Sqrt, pool.mul(x, level)), -1.0, 3.0), 0.0);
  EXPECT_EQ(slope(unary(Op::Sqrt, pool.div(level, pool.add(x, y))), -1.0, 3.0), 0.0);
  for (const Partial& g : gradient(pool, unary(Op::Sqrt, pool.mul(y, level))))
    EXPECT_EQ(at(g.derivative, -1.0, 3.0), 0.0);
  EXPECT_DOUBLE_EQ(slope(unary(Op::Sqrt, pool.mul(y, level)), 3.0, 3.0), 0.5);
}

TEST_F(KinksTest, SumsOfWhatIsCutOff) {
  const NodeId both = unary(Op::Sqrt, pool.add(max(x, c(0)), max(y, c(0))));
  EXPECT_EQ(slope(both, -1.0, -1.0), 0.0);
  EXPECT_EQ(slope(both, -1.0, 4.0), 0.0);
  EXPECT_DOUBLE_EQ(slope(both, 4.0, -1.0), 0.25);
}

TEST_F(KinksTest, AnInfiniteSlopeThatCountsStaysInfinite) {
  EXPECT_EQ(slope(unary(Op::Sqrt, x), 0.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(slope(pool.pow(x, c(0.5)), 0.0), std::numeric_limits<double>::infinity());
  // Both branches move: the first is taken at the kink.
  EXPECT_EQ(slope(unary(Op::Sqrt, max(x, pool.mul(c(2), x))), 0.0), std::numeric_limits<double>::infinity());
}

TEST_F(KinksTest, AbsTakesTheRightBranchAtItsKink) {
  EXPECT_EQ(slope(unary(Op::Abs, x), 0.0), 1.0);
  EXPECT_EQ(slope(unary(Op::Abs, x), -2.0), -1.0);
  EXPECT_EQ(slope(pool.mul(unary(Op::Sign, x), pool.pow(x, c(2))), -3.0), 6.0);
}

// x^p at 0 and elsewhere, for exponents of every kind, and all derivatives up to the third.
TEST_F(KinksTest, PowersAtZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    double exponent, first, second;
  };
  for (const Case& k : {Case{0.0, 0.0, 0.0}, Case{1.0, 1.0, 0.0}, Case{2.0, 0.0, 2.0}, Case{3.0, 0.0, 0.0},
                        Case{1.5, 0.0, infinity}, Case{0.5, infinity, -infinity}, Case{2.5, 0.0, 0.0}}) {
    const NodeId constant = pool.pow(x, c(k.exponent)), parameter = pool.pow(x, p), variable = pool.pow(x, y);
    for (const NodeId power : {constant, parameter, variable}) {
      EXPECT_EQ(slope(power, 0.0, k.exponent, k.exponent), k.first) << k.exponent;
      EXPECT_EQ(slope(partial(pool, power, x), 0.0, k.exponent, k.exponent), k.second) << k.exponent;
    }
  }
  EXPECT_EQ(slope(partial(pool, partial(pool, pool.pow(x, p), x), x), 0.0, 0.0, 3.0), 6.0);
  EXPECT_EQ(slope(partial(pool, partial(pool, pool.pow(x, p), x), x), 0.0, 0.0, 2.0), 0.0);
  // By the exponent: 0^y does not change with y > 0.
  EXPECT_EQ(at(partial(pool, pool.pow(x, y), y), 0.0, 2.0), 0.0);
  // With an exponent that passes 0 at a base that is not 0, nothing is cut off.
  EXPECT_DOUBLE_EQ(at(partial(pool, partial(pool, pool.pow(x, y), x), y), 2.0, 0.0), 0.5);
}

TEST_F(KinksTest, TimeDerivativesOfATankThatRunsEmpty) {
  TimeDerivative ddt(pool);
  const NodeId outflow = unary(Op::Sqrt, max(x, c(0)));
  const auto value = [&](NodeId e, double level, double rate) {
    return evaluate(pool, e, [&](NodeId leaf) { return pool[leaf].b == 0 ? level : pool[leaf].b == 1 ? rate : 0.0; });
  };
  for (int times = 1; times <= 3; ++times) {
    EXPECT_EQ(value(ddt(outflow, times), -0.5, -2.0), 0.0);
    EXPECT_EQ(value(ddt(outflow, times), 0.0, -2.0), 0.0);
  }
  EXPECT_DOUBLE_EQ(value(ddt(outflow), 4.0, -2.0), -0.5);
}

// y := max(u, 0); z := sqrt(y), as a program: the slope of z by u is 0 where u < 0.
TEST_F(KinksTest, ProgramsFollowWhatIsActive) {
  Function f{.name = "f", .inputs = 1, .locals = 3, .outputs = {2}, .body = {}};
  const auto assign = [](int target, NodeId value) {
    Statement s;
    s.target = target;
    s.expression = value;
    return s;
  };
  Statement positive;
  positive.kind = Statement::Kind::If;
  positive.expression = pool.binary(Op::Less, c(0), pool.local(0));
  positive.body.push_back(assign(1, pool.local(0)));
  f.body = {assign(1, c(0)), positive, assign(2, unary(Op::Sqrt, pool.local(1)))};
  const FunctionId id = pool.add_function(f);
  const NodeId call = pool.call(id, 0, std::vector{x});
  EXPECT_EQ(slope(call, -1.0), 0.0);
  EXPECT_EQ(slope(call, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(slope(call, 4.0), 0.25);
  // Its argument is cut off outside.
  const NodeId outside = pool.call(id, 0, std::vector{max(x, c(0))});
  EXPECT_EQ(slope(outside, -1.0), 0.0);
}

// Where at most one kink is met and one-sided difference quotients settle, the derivative is one of the two or lies
// between them (sqrt(x^2) at 0).
TEST_F(KinksTest, DerivativesAreOneSidedDifferenceQuotients) {
  int compared = 0, missing = 0;
  const Names names{[](VarId) { return std::string("x"); }, [](ParamId) { return std::string("p"); }};
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    const NodeId e = RandomKinks(pool, seed)(), slope_of_e = partial(pool, e, x);
    const double exponent = seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 1.0 : 2.0;
    const auto f = [&](double vx) { return at(e, vx, 0.0, exponent); };
    for (const double here : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
      if (!std::isfinite(f(here))) continue;
      if (ties(e, here, exponent) > 1) continue;  // where several kinks meet, no single branch of the sum is taken
      // Settled: halving the distance changes the quotient by little.
      const auto quotient = [&](double h) { return (f(here + h) - f(here)) / h; };
      const auto settled = [&](double sign, double& value) {
        const double coarse = quotient(sign * 1e-5), fine = quotient(sign * 1e-6);
        value = fine;
        return std::isfinite(fine) && std::abs(fine) < 1e3 && std::abs(coarse - fine) < 1e-3 * (1.0 + std::abs(fine));
      };
      double left = 0.0, right = 0.0;
      if (!settled(-1.0, left) || !settled(1.0, right)) continue;
      const double derivative = at(slope_of_e, here, 0.0, exponent);
      // A jump on the surface itself (a relation that holds at one point) has no one-sided meaning at that point.
      const bool continuous = std::abs(f(here + 1e-6) - f(here)) < 1e-2 && std::abs(f(here - 1e-6) - f(here)) < 1e-2;
      if (!continuous) continue;
      if (!std::isfinite(derivative)) {  // an infinite slope takes part: sqrt(x^2), x^0.5*x^0.5 at 0
        ++missing;
        EXPECT_TRUE(here == 0.0 || here == 1.0)
            << "seed " << seed << " at " << here << ": " << to_string(pool, e, names) << " has the slope "
            << to_string(pool, slope_of_e, names);
        continue;
      }
      const double miss = std::max({0.0, std::min(left, right) - derivative, derivative - std::max(left, right)});
      EXPECT_LT(miss, 2e-3 * (1.0 + std::abs(derivative)))
          << "seed " << seed << " at " << here << ": " << to_string(pool, e, names) << " has the slope " << derivative
          << ", quotients " << left << " and " << right;
      ++compared;
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_LT(missing, compared / 50);
}

}  // namespace
}  // namespace driftless
