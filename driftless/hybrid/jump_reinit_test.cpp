// Jumps with values that reinit prescribes.
#include <gtest/gtest.h>

#include "driftless/hybrid/jump.hpp"
#include "driftless/hybrid/sample_jump.hpp"

namespace driftless {
namespace {

using samples::rope_of_second_order;
using samples::SampleJump;
using testing::HasSubstr;

constexpr double tiny = 1e-13;

// A prescribed velocity does not move a position.
TEST(Jump, PositionsDoNotJumpBecauseOfAReinitElsewhere) {
  SampleJump jump(rope_of_second_order());
  EXPECT_FALSE(jump.from({{"x", 3.5}, {"y", -4.0}, {"der(x)", 7.0}, {"der(y)", -2.0}}, {{"der(x)", 1.0}}));
  EXPECT_THAT(jump.why, HasSubstr("rope: "));
}

TEST(Jump, AReinitIsKeptAndTheOthersFollow) {
  SampleJump jump(rope_of_second_order());
  // It swings with (4, 3) and hits a wall: the horizontal velocity is reversed and halved.
  ASSERT_TRUE(jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 4.0}, {"der(y)", 3.0}}, {{"der(x)", -2.0}})) << jump.why;
  EXPECT_EQ(jump("der(x)"), -2.0);
  EXPECT_NEAR(jump("der(y)"), -1.5, tiny);
  EXPECT_TRUE(jump.jumps("der(x)"));
  EXPECT_TRUE(jump.jumps("der(y)"));
  // 2 (-1.5 - 3) = -Λ y/5
  EXPECT_NEAR(jump.impulse("force"), -9.0 * 5.0 / 4.0, 100 * tiny);
}

TEST(Jump, ReinitsThatSatisfyTheConstraintNeedNoImpulse) {
  SampleJump jump(rope_of_second_order());
  ASSERT_TRUE(
      jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 4.0}, {"der(y)", 3.0}}, {{"der(x)", -2.0}, {"der(y)", -1.5}}))
      << jump.why;
  EXPECT_EQ(jump("der(x)"), -2.0);
  EXPECT_EQ(jump("der(y)"), -1.5);
  EXPECT_TRUE(jump.jumped.impulses.empty());
}

TEST(Jump, ReinitsThatContradictAConstraintAreRefused) {
  SampleJump jump(rope_of_second_order());
  EXPECT_FALSE(
      jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 4.0}, {"der(y)", 3.0}}, {{"der(x)", -2.0}, {"der(y)", 3.0}}));
  EXPECT_THAT(jump.why, HasSubstr("rope: "));
  EXPECT_THAT(jump.why, HasSubstr("reinit"));
}

TEST(Jump, AReinitOfAPositionMovesTheOthers) {
  SampleJump jump(rope_of_second_order());
  ASSERT_TRUE(jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 0.0}, {"der(y)", 0.0}}, {{"x", 4.0}})) << jump.why;
  EXPECT_EQ(jump("x"), 4.0);
  EXPECT_NEAR(jump("y"), -3.0, tiny);
}

TEST(Jump, AReinitOfWhatHasNoMemoryIsRefused) {
  SampleJump jump(rope_of_second_order());
  EXPECT_FALSE(jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 0.0}, {"der(y)", 0.0}}, {{"force", 4.0}}));
  EXPECT_THAT(jump.why, HasSubstr("force cannot be set by reinit"));
}

}  // namespace
}  // namespace driftless
