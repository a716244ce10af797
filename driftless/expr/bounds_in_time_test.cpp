#include "driftless/expr/bounds_in_time.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace driftless {
namespace {

TEST(BoundsInTime, AreThoseOfEveryInterval) {
  Pool pool;
  const NodeId at = pool.parameter(ParamId{1}), width = pool.parameter(ParamId{0});
  const NodeId distance = pool.div(pool.sub(pool.time(), at), width);
  BoundsInTime pulse(pool, pool.unary(Op::Exp, pool.neg(pool.mul(distance, distance))));
  pulse.take_parameters(std::array{0.001, 50.0});
  EXPECT_EQ(pulse(0.0, 100.0).high, 1.0);
  EXPECT_EQ(pulse(0.0, 100.0).low, 0.0);
  EXPECT_EQ(pulse(0.0, 49.9).high, 0.0);
  EXPECT_NEAR(pulse.value(50.0005), std::exp(-0.25), 1e-11);
  EXPECT_NEAR(pulse(50.0005, 50.001).low, std::exp(-1.0), 1e-11);
  pulse.take_parameters(std::array{0.001, 30.0});
  EXPECT_EQ(pulse(0.0, 49.9).high, 1.0);
  EXPECT_EQ(pulse(49.9, 100.0).high, 0.0);
}

TEST(BoundsInTime, DecideRelations) {
  Pool pool;
  const NodeId early = pool.binary(Op::Less, pool.time(), pool.constant(2.0));
  BoundsInTime choice(pool, pool.if_else(early, pool.constant(1.0), pool.unary(Op::Sin, pool.time())));
  EXPECT_EQ(choice(0.0, 1.9).low, 1.0);
  EXPECT_LT(choice(2.0, 3.0).high, 0.91);
  EXPECT_EQ(choice(1.9, 3.0).high, 1.0);
}

}  // namespace
}  // namespace driftless
