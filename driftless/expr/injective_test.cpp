#include "driftless/expr/injective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

struct Injective : testing::Test {
  Pool pool;
  NodeId x = pool.variable(VarId{0}), y = pool.variable(VarId{1}), z = pool.variable(VarId{2}),
         known = pool.variable(VarId{3});
  NodeId number(double value) { return pool.constant(value); }
  NodeId exp(NodeId a) { return pool.unary(Op::Exp, a); }
  NodeId log(NodeId a) { return pool.unary(Op::Log, a); }
  NodeId square(NodeId a) { return pool.pow(a, number(2.0)); }
  NodeId diode(NodeId voltage) { return pool.sub(exp(pool.mul(number(4.0), voltage)), number(1.0)); }

  MapOfUnknowns of(std::vector<NodeId> functions, std::vector<NodeId> unknowns) {
    std::ranges::sort(unknowns);
    MapOfUnknowns equations{std::move(functions), std::move(unknowns), {}};
    for (std::size_t i = 0; i < equations.functions.size(); ++i)
      for (const Partial& p : gradient(pool, equations.functions[i])) {
        const auto at = std::ranges::lower_bound(equations.unknowns, p.leaf);
        if (at != equations.unknowns.end() && *at == p.leaf)
          equations.slopes.push_back(
              {static_cast<int>(i), static_cast<int>(at - equations.unknowns.begin()), p.derivative});
      }
    return equations;
  }
  bool holds(const MapOfUnknowns& equations) {
    return is_injective(pool, equations, [](const Node& leaf) {
      return leaf.op == Op::Parameter ? Interval{0.5, 0.5} : Interval{};
    });
  }
  bool holds(NodeId f) { return holds(of({f}, {x})); }
};

TEST_F(Injective, OfOneUnknown) {
  EXPECT_TRUE(holds(pool.add(x, exp(x))));
  EXPECT_TRUE(holds(exp(pool.sub(x, known))));
  EXPECT_TRUE(holds(pool.add(log(x), x)));
  EXPECT_TRUE(holds(pool.add(log(pool.add(pool.div(x, pool.parameter(ParamId{0})), number(1.0))), x)));
  EXPECT_TRUE(holds(pool.add(pool.pow(x, number(3.0)), x)));
  EXPECT_TRUE(holds(pool.add(pool.unary(Op::Sqrt, pool.add(x, known)), x)));
  EXPECT_TRUE(holds(pool.add(x, pool.binary(Op::Max, x, number(0.0)))));
  EXPECT_TRUE(holds(pool.add(x, pool.unary(Op::Tanh, x))));
  EXPECT_TRUE(holds(pool.sub(x, pool.mul(number(0.9), pool.unary(Op::Sin, x)))));
  EXPECT_FALSE(holds(square(x)));
  EXPECT_FALSE(holds(pool.mul(x, exp(pool.neg(x)))));
  EXPECT_FALSE(holds(pool.sub(log(x), x)));
  EXPECT_FALSE(holds(pool.sub(x, pool.mul(known, exp(x)))));  // known may be positive
  EXPECT_FALSE(holds(pool.sub(x, pool.mul(number(1.1), pool.unary(Op::Sin, x)))));
}

// A slope of one sign is not enough where the domain has two parts, or where a function jumps.
TEST_F(Injective, NeedsAConnectedDomainAndNoJump) {
  EXPECT_FALSE(holds(pool.sub(pool.div(number(1.0), x), x)));  // 1/x - x = 0 at 1 and -1
  EXPECT_FALSE(holds(pool.unary(Op::Tan, x)));
  EXPECT_FALSE(holds(pool.sub(x, pool.unary(Op::Sign, x))));
  EXPECT_FALSE(holds(pool.sub(
      x, pool.mul(number(2.0), pool.if_else(pool.binary(Op::Less, x, number(0.0)), number(0.0), number(1.0))))));
  EXPECT_FALSE(holds(pool.add(x, log(pool.sub(square(x), number(1.0))))));
}

// A source, a resistor, a diode, and a capacitor of the voltage z: current and voltage of the diode.
TEST_F(Injective, RectifierIsAndTunnelDiodeIsNot) {
  const NodeId resistor = pool.sub(known, pool.add(pool.mul(pool.parameter(ParamId{0}), x), pool.add(y, z)));
  EXPECT_TRUE(holds(of({resistor, pool.sub(x, diode(y))}, {x, y})));
  EXPECT_FALSE(holds(of({resistor, pool.add(x, diode(y))}, {x, y})));
  const NodeId tunnel = pool.add(diode(y), pool.mul(pool.mul(number(8.0), y), exp(pool.neg(pool.mul(number(2.0), y)))));
  EXPECT_FALSE(holds(of({resistor, pool.sub(x, tunnel)}, {x, y})));
}

// Four diodes between the sources and the load, nodes at x (input), y (positive) and z (negative side of the load). The
// same slopes occur in several rows: their products cancel, and only sums over trees are left.
TEST_F(Injective, BridgeIs) {
  const auto between = [&](NodeId a, NodeId b) { return diode(pool.sub(a, b)); };
  const NodeId ground = number(0.0), load = pool.sub(y, z);
  const NodeId at_x = pool.sub(pool.sub(pool.sub(known, x), between(x, y)), pool.neg(between(z, x)));
  const NodeId at_y = pool.sub(pool.add(between(x, y), between(ground, y)), load);
  const NodeId at_z = pool.sub(load, pool.add(between(z, x), between(z, ground)));
  EXPECT_TRUE(holds(of({at_x, at_y, at_z}, {x, y, z})));
}

// If the answer is yes, the determinant of the Jacobian has the same sign at all points; and it is often yes.
TEST_F(Injective, DeterminantsOfRandomEquationsKeepTheirSign) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> factor(-2.0, 2.0), place(-3.0, 3.0);
  const auto pick = [&](int number) { return std::uniform_int_distribution<int>(0, number - 1)(random); };
  const std::vector<NodeId> leaves = {x, y, z};
  int yes = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<NodeId> functions;
    for (int i = 0; i < 3; ++i) {
      NodeId sum = leaves[i];
      for (int k = 0; k < 2; ++k) {
        const NodeId a = leaves[pick(3)], b = leaves[pick(3)];
        const NodeId terms[] = {
            a, exp(a), pool.unary(Op::Tanh, b), pool.mul(a, b), exp(pool.sub(a, b)), pool.unary(Op::Atan, a)};
        sum = pool.add(sum, pool.mul(number(factor(random)), terms[pick(6)]));
      }
      functions.push_back(sum);
    }
    const MapOfUnknowns equations = of(functions, leaves);
    if (!holds(equations)) continue;
    ++yes;
    int sign = 0;
    for (int point = 0; point < 50; ++point) {
      const double at[3] = {place(random), place(random), place(random)};
      double m[3][3] = {};
      for (const auto& [f, u, derivative] : equations.slopes)
        m[f][u] = evaluate(pool, derivative, [&](NodeId leaf) { return at[pool[leaf].a]; });
      const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                 m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
      const int here = determinant > 0.0 ? 1 : -1;
      if (sign == 0) sign = here;
      ASSERT_EQ(here, sign) << "trial " << trial;
    }
  }
  EXPECT_GT(yes, 100);
}

}  // namespace
}  // namespace driftless
