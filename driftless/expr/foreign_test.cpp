#include "driftless/expr/foreign.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// a sin(b), a^2 + n
ForeignCode two_outputs(int* calls = nullptr) {
  return {[calls](std::span<const double> in, std::span<double> out) {
            if (calls) ++*calls;
            if (in[1] > 100) return false;
            out[0] = in[0] * std::sin(in[1]);
            out[1] = in[0] * in[0] + in[2];
            return true;
          },
          {false, false, true}};
}

double value(const Pool& pool, NodeId node, double a, double b, double n) {
  return evaluate(pool, node, [&](NodeId leaf) { return pool[leaf].a == 0 ? a : pool[leaf].a == 1 ? b : n; });
}

struct Called {
  Pool pool;
  FunctionId function;
  std::vector<NodeId> arguments;

  explicit Called(ForeignCode code) : function(pool.add_function(foreign_function("f", 3, 2, std::move(code)))) {
    for (int k = 0; k < 3; ++k) arguments.push_back(pool.parameter(ParamId{k}));
  }
  NodeId output(int k) { return pool.call(function, k, arguments); }
  NodeId partial(int output, int input) {
    return pool.call(pool.partial_derivative(function, input), output, arguments);
  }
};

TEST(Foreign, IsCalledOnceForAllOutputsOfAPoint) {
  int calls = 0;
  Called f(two_outputs(&calls));
  const NodeId sum = f.pool.add(f.output(0), f.output(1));
  EXPECT_EQ(value(f.pool, sum, 2, 0.5, 3), 2 * std::sin(0.5) + 7);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(value(f.pool, sum, 2, 0.75, 3), 2 * std::sin(0.75) + 7);
  EXPECT_EQ(calls, 2);
}

TEST(Foreign, HasNoValueWhereTheCodeFails) {
  Called f(two_outputs());
  EXPECT_TRUE(std::isnan(value(f.pool, f.output(0), 2, 101, 3)));
  EXPECT_TRUE(std::isnan(value(f.pool, f.partial(0, 1), 2, 101, 3)));
}

TEST(Foreign, DifferenceQuotientsAreDerivativesToTenDigits) {
  Called f(two_outputs());
  EXPECT_NEAR(value(f.pool, f.partial(0, 0), 2, 0.5, 3), std::sin(0.5), 1e-10);
  EXPECT_NEAR(value(f.pool, f.partial(0, 1), 2, 0.5, 3), 2 * std::cos(0.5), 1e-9);
  EXPECT_NEAR(value(f.pool, f.partial(1, 0), 2, 0.5, 3), 4, 1e-9);
  EXPECT_EQ(value(f.pool, f.partial(1, 2), 2, 0.5, 3), 0) << "an Integer input";
  EXPECT_EQ(exact_derivatives(f.pool, f.function), 0);
}

// df = (sin(b) da + a cos(b) db, 2 a da), and the derivative by n is unknown.
TEST(Foreign, TheGivenDerivativeIsUsed) {
  Called f(two_outputs());
  Pool& pool = f.pool;
  Function derivative{"df", 5, 7, {5, 6}};
  const auto local = [&](int k) { return pool.local(k); };
  const NodeId first = pool.add(pool.mul(pool.unary(Op::Sin, local(1)), local(3)),
                                pool.mul(pool.mul(local(0), pool.unary(Op::Cos, local(1))), local(4)));
  for (const auto& [slot, expression] :
       {std::pair(5, first), std::pair(6, pool.mul(pool.mul(pool.constant(2), local(0)), local(3)))}) {
    Statement statement;
    statement.target = slot;
    statement.expression = expression;
    derivative.body.push_back(statement);
  }
  using Rate = GivenDerivative::Rate;
  const FunctionId given = pool.add_function(std::move(derivative));
  *pool.function(f.function).derivative = GivenDerivative{given, {3, 4, -1}, {Rate::Passed, Rate::Passed, Rate::Zero}};
  EXPECT_EQ(value(pool, f.partial(0, 1), 2, 0.5, 3), 2 * std::cos(0.5)) << "exactly";
  EXPECT_EQ(value(pool, f.partial(1, 0), 2, 0.5, 3), 4);
  EXPECT_EQ(exact_derivatives(pool, f.function), -1) << "the derivative is a program";
}

}  // namespace
}  // namespace driftless
