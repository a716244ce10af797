#include "driftless/solution/picture/canvas.hpp"

#include <cmath>
#include <numbers>

#include "gtest/gtest.h"

namespace driftless {
namespace {

constexpr Colour white{1, 1, 1}, black{};

// How much of a white page of 40 x 40 is black, in pixels.
double blackened(const std::vector<Outline>& areas, double opacity = 1.0) {
  Canvas canvas(40, 40, white);
  canvas.fill(areas, black, opacity);
  double sum = 0.0;
  const std::vector<std::uint8_t> bytes = canvas.bytes();
  for (std::size_t k = 0; k < bytes.size(); k += 3) sum += 1.0 - bytes[k] / 255.0;
  return sum;
}

const Outline square{{{10.25, 10.5}, {20.75, 10.5}, {20.75, 21.0}, {10.25, 21.0}}, true};

TEST(Canvas, CoversTheAreaOfWhatIsFilled) {
  EXPECT_NEAR(blackened({square}), 10.5 * 10.5, 0.2);
  EXPECT_NEAR(blackened({square}, 0.5), 10.5 * 10.5 / 2, 0.5);
  EXPECT_NEAR(blackened({{{{5, 5}, {35, 8}, {11, 33}}, true}}), 0.5 * (30 * 28 - 6 * 3), 1.0);
  std::vector<Outline> disc = outlines_of("M10,20a10,10 0 1,0 20,0a10,10 0 1,0 -20,0");
  EXPECT_NEAR(blackened(disc), std::numbers::pi * 100, 3.0);
}

TEST(Canvas, FillsUnionsOnceAndLeavesHolesWhereTheWindingCancels) {
  EXPECT_NEAR(blackened({square, square}), blackened({square}), 1e-9);
  Outline hole{{{13, 13}, {13, 18}, {18, 18}, {18, 13}}, true};  // the other way round
  EXPECT_NEAR(blackened({square, hole}), 10.5 * 10.5 - 25, 0.3);
}

TEST(Canvas, ForgetsWhatIsOutside) {
  EXPECT_NEAR(blackened({{{{-10, -10}, {5, -10}, {5, 5}, {-10, 5}}, true}}), 25.0, 1e-9);
  EXPECT_EQ(blackened({{{{50, 50}, {60, 50}, {60, 60}}, true}}), 0.0);
  EXPECT_EQ(blackened({}), 0.0);
}

TEST(Canvas, StrokesHaveTheirWidth) {
  const std::vector<Outline> line{{{{5, 7}, {35, 27}}, false}};
  const double length = std::hypot(30, 20);
  EXPECT_NEAR(blackened(stroked(line, {.width = 3})), 3 * length, 1.0);
  EXPECT_NEAR(blackened(stroked(line, {.width = 4, .round_caps = true})), 4 * length + std::numbers::pi * 4, 1.5);
}

TEST(Canvas, DashesLeaveTheirShare) {
  const std::vector<Outline> line{{{{5, 7.3}, {35, 7.3}}, false}};
  EXPECT_NEAR(blackened(stroked(line, {.width = 2, .dashes = {4, 2}})), 2 * 20.0, 0.5);
}

// A frame of width 2 around 20 x 10: corners are full, none is counted twice.
TEST(Canvas, ClosedLinesHavePointedCorners) {
  const std::vector<Outline> frame{{{{8, 8}, {28, 8}, {28, 18}, {8, 18}}, true}};
  EXPECT_NEAR(blackened(stroked(frame, {.width = 2})), 22 * 12 - 18 * 8, 0.2);
  const std::vector<Outline> bend{{{{8, 8}, {28, 8}, {28, 28}}, false}};
  EXPECT_NEAR(blackened(stroked(bend, {.width = 4})), 4 * 20 + 4 * 20 + 4 - 4, 0.3);
}

TEST(Canvas, APointIsADiscIfEndsAreRound) {
  const std::vector<Outline> dot{{{{20, 20}, {20, 20}}, false}};
  EXPECT_NEAR(blackened(stroked(dot, {.width = 6, .round_caps = true})), std::numbers::pi * 9, 3.0);
  EXPECT_EQ(blackened(stroked(dot, {.width = 6})), 0.0);
}

}  // namespace
}  // namespace driftless
