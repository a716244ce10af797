#include "driftless/integrate/run/jumped_point.hpp"

#include <gtest/gtest.h>

#include "driftless/hybrid/sample_jump.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::SampleJump;

// All quantities of a point by name, and the largest residual over all equations at all levels.
class JumpedPoint {
 public:
  JumpedPoint(const SampleJump& jump, const std::vector<PrescribedValue>& prescribed = {}, double t = 0.0)
      : jump_(jump), system_(jump.mode(), Backend::Interpreter) {
    auto found = jumped_point(system_, t, jump.jumped, prescribed);
    if (const auto* message = std::get_if<std::string>(&found)) why = *message;
    if (!why.empty()) return;
    const State& state = std::get<State>(found);
    quantities_.resize(system_.reduced().quantities.size());
    std::vector<double> residuals(2 * system_.checks().size());
    system_.inspect({t, state.y, state.yp}, quantities_, residuals);
    for (std::size_t k = 0; k < system_.checks().size(); ++k)
      largest = std::max(largest, std::abs(residuals[k]) / (1.0 + residuals[system_.checks().size() + k]));
  }

  double operator()(const std::string& name) const {
    const auto& all = system_.reduced().quantities;
    return quantities_[std::ranges::find(all, jump_.quantity(name)) - all.begin()];
  }

  std::string why;
  double largest = 0.0;

 private:
  const SampleJump& jump_;
  System system_;
  std::vector<double> quantities_;
};

TEST(JumpedPoint, EveryLevelHoldsAfterARopeBecameTaut) {
  SampleJump jump(samples::pendulum());
  ASSERT_TRUE(jump.from({{"x", 0.6}, {"y", -0.8}, {"der(x)", 1.0}, {"der(y)", 0.25}, {"lambda", 0.0}})) << jump.why;
  const JumpedPoint point(jump);
  ASSERT_EQ(point.why, "");
  EXPECT_LT(point.largest, 1e-15);
  const double across = 0.8 * 1.0 + 0.6 * 0.25;
  EXPECT_NEAR(point("der(x)"), 0.8 * across, 1e-14);
  EXPECT_NEAR(point("der(y)"), 0.6 * across, 1e-14);
  EXPECT_NEAR(point("lambda"), across * across + 0.8, 1e-14);  // v^2 - g y, of a rope of length 1
}

TEST(JumpedPoint, AlgebraicUnknownsAreSolved) {
  ModelBuilder m("Algebraic");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x * x * x + y == 3.0);
  m.equation(y - x == 1.0);
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", 7.0}, {"y", -2.0}})) << jump.why;
  const JumpedPoint point(jump);
  ASSERT_EQ(point.why, "");
  EXPECT_NEAR(point("x"), 1.0, 1e-15);
  EXPECT_NEAR(point("y"), 2.0, 1e-15);
}

TEST(JumpedPoint, StatesKeepTheirBits) {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(der(x)) == -x + y);
  m.equation(y * exp(y) == x);
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", 0.1}, {"der(x)", 0.7}, {"y", 2.0}})) << jump.why;
  const JumpedPoint point(jump);
  ASSERT_EQ(point.why, "");
  EXPECT_EQ(point("x"), 0.1);
  EXPECT_EQ(point("der(x)"), 0.7);
  EXPECT_NEAR(point("y") * std::exp(point("y")), 0.1, 1e-15);
  EXPECT_NEAR(point("der(der(x))"), point("y") - 0.1, 1e-15);
}

TEST(JumpedPoint, AReinitKeepsItsBits) {
  SampleJump jump(samples::pendulum());
  const std::vector<PrescribedValue> set = {{jump.quantity("der(x)"), -0.3}};
  ASSERT_TRUE(jump.from({{"x", 0.6}, {"y", -0.8}, {"der(x)", 0.4}, {"der(y)", 0.3}}, {{"der(x)", -0.3}})) << jump.why;
  const JumpedPoint point(jump, set);
  ASSERT_EQ(point.why, "");
  EXPECT_EQ(point("der(x)"), -0.3);
  EXPECT_NEAR(point("der(y)"), -0.225, 1e-15);
  EXPECT_LT(point.largest, 1e-15);
}

}  // namespace
}  // namespace driftless
