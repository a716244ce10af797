#include "driftless/integrate/crossings/extremum.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Extremum, IsTheVertexOfTheParabola) {
  // g = (t - 0.7)^2 + 0.01 and its negative
  const double t[] = {0.0, 0.5, 1.0};
  const double g[] = {0.50, 0.05, 0.10}, negative[] = {-0.50, -0.05, -0.10};
  EXPECT_NEAR(extremum_near_zero(t, g, 0.25).value(), 0.7, 1e-14);
  EXPECT_NEAR(extremum_near_zero(t, negative, 0.25).value(), 0.7, 1e-14);
  EXPECT_FALSE(extremum_near_zero(t, g, 0.01)) << "0.01 of 0.5 is not near enough";
}

TEST(Extremum, IsNoneWhereTheFunctionGoesAwayOrHasCrossed) {
  const double t[] = {0.0, 0.5, 1.0};
  const double away[] = {0.1, 0.5, 0.2}, straight[] = {0.3, 0.2, 0.1}, crossed[] = {0.3, -0.2, 0.1};
  const double outside[] = {1.0, 0.25, 0.0625};
  EXPECT_FALSE(extremum_near_zero(t, away, 0.25));
  EXPECT_FALSE(extremum_near_zero(t, straight, 0.25));
  EXPECT_FALSE(extremum_near_zero(t, crossed, 0.25));
  EXPECT_TRUE(extremum_near_zero(t, outside, 0.25)) << "its vertex is at 0.9";
}

}  // namespace
}  // namespace driftless
