#include "driftless/solution/picture/outline.hpp"

#include <cmath>

#include "gtest/gtest.h"

namespace driftless {
namespace {

void expect_points(const Outline& outline, const std::vector<PathPoint>& expected) {
  ASSERT_EQ(outline.points.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_DOUBLE_EQ(outline.points[k].x, expected[k].x);
    EXPECT_DOUBLE_EQ(outline.points[k].y, expected[k].y);
  }
}

TEST(Outline, FollowsStraightCommands) {
  const auto outlines = outlines_of("M1,2L3,4 5,6h-2v1H0V0zm10,0l1,-1");
  ASSERT_EQ(outlines.size(), 2u);
  expect_points(outlines[0], {{1, 2}, {3, 4}, {5, 6}, {3, 6}, {3, 7}, {0, 7}, {0, 0}});
  EXPECT_TRUE(outlines[0].closed);
  expect_points(outlines[1], {{11, 2}, {12, 1}});  // relative to where the first one began
  EXPECT_FALSE(outlines[1].closed);
}

TEST(Outline, ADotIsALineOfLengthZero) { expect_points(outlines_of("M4,5h0").at(0), {{4, 5}, {4, 5}}); }

TEST(Outline, ArcsStayOnTheirCircle) {
  const auto outlines = outlines_of("M6.5,10a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0");
  ASSERT_EQ(outlines.size(), 1u);
  double above = 0.0, below = 0.0;
  for (const PathPoint& point : outlines[0].points) {
    EXPECT_NEAR(std::hypot(point.x - 10, point.y - 10), 3.5, 1e-12);
    above = std::max(above, point.y - 10), below = std::max(below, 10 - point.y);
  }
  EXPECT_NEAR(above, 3.5, 1e-9);  // both halves
  EXPECT_NEAR(below, 3.5, 1e-9);
}

// From (2, 0) to (0, 1) on the ellipse with these half axes: the short way in the first quadrant, the long way around.
TEST(Outline, FlagsChooseTheArc) {
  for (const bool large : {false, true}) {
    double lowest = 1.0;
    const auto outlines = outlines_of(large ? "M2,0A2,1 0 1,0 0,1" : "M2,0A2,1 0 0,1 0,1");
    for (const PathPoint& point : outlines.at(0).points) {
      EXPECT_NEAR(point.x * point.x / 4 + point.y * point.y, 1.0, 1e-12);
      lowest = std::min(lowest, point.y);
    }
    EXPECT_NEAR(lowest, large ? -1.0 : 0.0, 1e-9);
  }
}

TEST(Outline, CurvesEndWhereTheySay) {
  const auto points = outlines_of("M0,0Q1,2 2,0").at(0).points;
  EXPECT_DOUBLE_EQ(points[points.size() / 2].y, 1.0);
  EXPECT_DOUBLE_EQ(points.back().x, 2.0);
}

TEST(Outline, WhatIsNoPathEnds) {
  EXPECT_TRUE(outlines_of("").empty());
  EXPECT_TRUE(outlines_of("?!").empty());
  EXPECT_EQ(outlines_of("M1,1L2,2?").size(), 1u);
}

}  // namespace
}  // namespace driftless
