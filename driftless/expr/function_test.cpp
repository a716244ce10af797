#include "driftless/expr/function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

Statement assign(int target, NodeId value) { return {Statement::Kind::Assign, target, value, {}, {}}; }
Statement loop(NodeId condition, std::vector<Statement> body) {
  return {Statement::Kind::While, -1, condition, std::move(body), {}};
}
Statement branch(NodeId condition, std::vector<Statement> body, std::vector<Statement> otherwise = {}) {
  return {Statement::Kind::If, -1, condition, std::move(body), std::move(otherwise)};
}
Statement leave(Statement::Kind kind) { return {kind, -1, {}, {}, {}}; }

class FunctionTest : public testing::Test {
 protected:
  Pool pool;
  NodeId x = pool.variable(VarId{0});
  NodeId y = pool.variable(VarId{1});
  NodeId c(double value) { return pool.constant(value); }
  NodeId local(int slot) { return pool.local(slot); }

  // Heron's iteration for sqrt(a): inputs a; locals a, r.
  FunctionId root() {
    const NodeId a = local(0), r = local(1);
    const NodeId error = pool.unary(Op::Abs, pool.sub(pool.mul(r, r), a));
    Function f{.name = "root", .inputs = 1, .locals = 2, .outputs = {1}};
    f.body = {assign(1, c(1)),
              loop(pool.binary(Op::Less, pool.mul(c(1e-14), a), error),
                   {assign(1, pool.mul(c(0.5), pool.add(r, pool.div(a, r))))}),
              // Once more: a converged value makes the derivative of the iteration converge as well.
              assign(1, pool.mul(c(0.5), pool.add(r, pool.div(a, r)))),
              assign(1, pool.mul(c(0.5), pool.add(r, pool.div(a, r))))};
    return pool.add_function(f);
  }

  // x^n by repeated multiplication, and the number of multiplications: inputs x, n; locals p, i.
  FunctionId power() {
    const NodeId p = local(2), i = local(3);
    Function f{.name = "power", .inputs = 2, .locals = 4, .outputs = {2, 3}};
    f.body = {
        assign(2, c(1)), assign(3, c(0)),
        loop(pool.binary(Op::Less, i, local(1)), {assign(2, pool.mul(p, local(0))), assign(3, pool.add(i, c(1)))})};
    return pool.add_function(f);
  }

  double call(FunctionId f, std::vector<NodeId> arguments, double at_x, double at_y = 0.0, int output = 0) {
    return value(pool.call(f, output, arguments), at_x, at_y);
  }
  double value(NodeId e, double at_x, double at_y = 0.0) {
    return evaluate(pool, e, [&](NodeId leaf) { return leaf == x ? at_x : at_y; });
  }
};

TEST_F(FunctionTest, LoopsRun) {
  EXPECT_NEAR(call(root(), {x}, 2.0), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(call(power(), {x, c(5)}, 3.0), 243);
  EXPECT_EQ(call(power(), {x, c(5)}, 3.0, 0.0, 1), 5);
}

TEST_F(FunctionTest, DirectRun) {
  const Function& f = pool.function(power());
  double locals[4] = {2.0, 10.0};
  EXPECT_EQ(evaluate_function(pool, f, 0, std::span<const double>{}, locals), 1024);
  EXPECT_EQ(locals[3], 10);
}

TEST_F(FunctionTest, EqualCallsAreOneNode) {
  const FunctionId f = power();
  EXPECT_EQ(pool.call(f, 0, std::vector{x, y}), pool.call(f, 0, std::vector{x, y}));
  EXPECT_NE(pool.call(f, 0, std::vector{x, y}), pool.call(f, 1, std::vector{x, y}));
  EXPECT_NE(pool.call(f, 0, std::vector{x, y}), pool.call(f, 0, std::vector{y, x}));
}

TEST_F(FunctionTest, DerivativesOfALoopUpToThird) {
  const FunctionId f = power();
  NodeId e = pool.call(f, 0, std::vector{x, c(5)});
  const double expected[] = {243, 5 * 81, 20 * 27, 60 * 9};
  for (int order = 0; order <= 3; ++order) {
    EXPECT_EQ(value(e, 3.0), expected[order]) << "order " << order;
    e = partial(pool, e, x);
  }
}

TEST_F(FunctionTest, DerivativesOfAnIterationConvergeToThoseOfTheLimit) {
  const NodeId e = pool.call(root(), 0, std::vector{x});
  const NodeId d1 = partial(pool, e, x);
  EXPECT_NEAR(value(d1, 2.0), 0.5 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(value(partial(pool, d1, x), 2.0), -0.25 * std::pow(2.0, -1.5), 1e-12);
}

TEST_F(FunctionTest, IndependentOutputsHaveStructurallyZeroDerivatives) {
  const FunctionId f = power();
  EXPECT_TRUE(pool.is_constant(partial(pool, pool.call(f, 1, std::vector{x, y}), x), 0.0));
  const std::vector<Partial> g = gradient(pool, pool.call(f, 0, std::vector{x, y}));
  ASSERT_EQ(g.size(), 1u);  // the number of iterations depends on y, the value does not depend on it smoothly
  EXPECT_EQ(g[0].leaf, x);
}

TEST_F(FunctionTest, PartialDerivativesAreMadeOnce) {
  const FunctionId f = power();
  const FunctionId d = pool.partial_derivative(f, 0);
  EXPECT_EQ(pool.partial_derivative(f, 0), d);
  EXPECT_NE(pool.partial_derivative(f, 1), d);
}

TEST_F(FunctionTest, TheTangentUsesValuesFromBeforeTheAssignment) {
  Function f{.name = "square", .inputs = 1, .locals = 1, .outputs = {0}};
  f.body = {assign(0, pool.mul(local(0), local(0))), assign(0, pool.mul(local(0), local(0)))};  // x^4 in place
  const NodeId e = pool.call(pool.add_function(f), 0, std::vector{x});
  EXPECT_EQ(value(e, 3.0), 81);
  EXPECT_EQ(value(partial(pool, e, x), 3.0), 4 * 27);
}

TEST_F(FunctionTest, ChainRuleInTime) {
  TimeDerivative ddt(pool);
  const NodeId e = pool.call(power(), 0, std::vector{pool.unary(Op::Sin, pool.time()), c(3)});
  const double s = std::sin(0.4), k = std::cos(0.4);
  const auto at = [&](NodeId n) { return evaluate(pool, n, [](NodeId) { return 0.4; }); };
  EXPECT_NEAR(at(ddt(e)), 3 * s * s * k, 1e-15);
  EXPECT_NEAR(at(ddt(e, 2)), 6 * s * k * k - 3 * s * s * s, 1e-15);
}

// min over the first terms of a sum until it exceeds y; leaves the loop with break, small x with return.
TEST_F(FunctionTest, BranchBreakReturn) {
  const NodeId a = local(0), limit = local(1), sum = local(2);
  Function f{.name = "f", .inputs = 2, .locals = 3, .outputs = {2}};
  f.body = {branch(pool.binary(Op::Less, a, c(0)), {assign(2, pool.neg(a)), leave(Statement::Kind::Return)}),
            loop(c(1), {branch(pool.binary(Op::Less, limit, sum), {leave(Statement::Kind::Break)},
                               {assign(2, pool.add(sum, a))})}),
            assign(2, pool.mul(c(10), sum))};
  const FunctionId id = pool.add_function(f);
  EXPECT_EQ(call(id, {x, y}, -3.0, 0.0), 3);
  EXPECT_EQ(call(id, {x, y}, 2.0, 5.0), 60);
  const NodeId d = partial(pool, pool.call(id, 0, std::vector{x, y}), x);
  EXPECT_EQ(value(d, -3.0, 0.0), -1);
  EXPECT_EQ(value(d, 2.0, 5.0), 30);
}

TEST_F(FunctionTest, BreakLeavesOnlyTheInnermostLoop) {
  const NodeId i = local(1), count = local(2);
  Function f{.name = "f", .inputs = 1, .locals = 3, .outputs = {2}};
  f.body = {loop(
      pool.binary(Op::Less, i, local(0)),
      {loop(c(1), {assign(2, pool.add(count, c(1))), leave(Statement::Kind::Break)}), assign(1, pool.add(i, c(1)))})};
  EXPECT_EQ(call(pool.add_function(f), {x}, 7.0), 7);
}

TEST_F(FunctionTest, FunctionsCallFunctionsAndKnowParameters) {
  const FunctionId inner = power();
  const NodeId p = pool.parameter(ParamId{1});
  Function f{.name = "outer", .inputs = 1, .locals = 2, .outputs = {1}};
  f.body = {assign(1, pool.mul(p, pool.call(inner, 0, std::vector{pool.add(local(0), c(1)), c(3)})))};
  const FunctionId outer = pool.add_function(f);
  const NodeId e = pool.call(outer, 0, std::vector{x});
  EXPECT_EQ(value(e, 1.0, 7.0), 7 * 8);
  EXPECT_EQ(value(partial(pool, e, x), 1.0, 7.0), 7 * 12);
  double locals[2] = {1.0};
  const double parameters[] = {0.0, 7.0};
  EXPECT_EQ(evaluate_function(pool, pool.function(outer), 0, parameters, locals), 56);
}

// A program whose results are remembered gives for other inputs, and for others of its outputs, what it always gave.
TEST_F(FunctionTest, RememberedResultsAreThoseOfTheSameInputsOnly) {
  const FunctionId f = power(), g = root();
  for (int turn = 0; turn < 3; ++turn)
    for (int n = 1; n < 40; ++n) {
      EXPECT_EQ(call(f, {x, y}, 2.0, n), std::ldexp(1.0, n));
      EXPECT_EQ(call(f, {x, y}, 2.0, n, 1), n);
      EXPECT_NEAR(call(g, {x}, n), std::sqrt(n), 1e-14 * n);
    }
}

// Each function calls both outputs of the one before: 2^60 calls, if none were remembered.
TEST_F(FunctionTest, AChainOfFunctionsWithTwoResultsTakesLinearTime) {
  FunctionId last = power();
  for (int k = 0; k < 60; ++k) {
    Function f{.name = "f", .inputs = 2, .locals = 4, .outputs = {2, 3}};
    const std::vector inputs{local(0), local(1)};
    f.body = {assign(2, pool.sub(pool.call(last, 0, inputs), pool.call(last, 1, inputs))),
              assign(3, pool.call(last, 1, inputs))};
    last = pool.add_function(f);
  }
  EXPECT_EQ(call(last, {x, y}, 2.0, 10.0), 1024 - 600);
  EXPECT_EQ(call(last, {x, y}, 2.0, 10.0, 1), 10);
}

TEST_F(FunctionTest, AnEndlessLoopHasNoValue) {
  Function f{.name = "endless", .inputs = 1, .locals = 2, .outputs = {1}};
  f.body = {loop(c(1), {assign(1, pool.add(local(1), c(1)))})};
  EXPECT_TRUE(std::isnan(call(pool.add_function(f), {x}, 1.0)));
}

}  // namespace
}  // namespace driftless
