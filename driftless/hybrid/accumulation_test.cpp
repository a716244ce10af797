#include "driftless/hybrid/accumulation.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace {

// A ball that falls from the height 1 with gravity 10 and keeps the part e of its speed: after the first impact, at
// sqrt(2/g), the k-th flight takes 2 e^k sqrt(2/g).
TEST(Accumulation, ABouncingBallComesToRest) {
  const double fall = std::sqrt(0.2);
  for (const double e : {0.3, 0.7, 0.95}) {
    const double end = fall * (1.0 + e) / (1.0 - e);
    Accumulation impacts;
    double t = fall, flight = 2.0 * e * fall;
    for (int k = 1; k <= 10; ++k, t += flight, flight *= e) {
      impacts.add(t);
      if (k < 5) {
        EXPECT_FALSE(impacts.remaining()) << k;
      } else {
        ASSERT_TRUE(impacts.remaining()) << k;
        EXPECT_NEAR(t + *impacts.remaining(), end, 1e-12 * end);
      }
    }
  }
}

TEST(Accumulation, EqualIntervalsHaveNoEnd) {
  Accumulation samples;
  for (int k = 0; k < 20; ++k) samples.add(0.1 * k);
  EXPECT_FALSE(samples.remaining());
}

TEST(Accumulation, IntervalsThatShrinkIrregularlyHaveNone) {
  Accumulation events;
  for (const double t : {0.0, 1.0, 1.5, 1.6, 1.69, 1.7}) events.add(t);
  EXPECT_FALSE(events.remaining());
}

TEST(Accumulation, ALaterLongIntervalEndsIt) {
  Accumulation impacts;
  double t = 0.0, flight = 1.0;
  for (int k = 0; k < 8; ++k, flight /= 2) impacts.add(t += flight);
  ASSERT_TRUE(impacts.remaining());
  EXPECT_EQ(impacts.begin(), 1.0);
  impacts.add(t + 5.0);
  EXPECT_FALSE(impacts.remaining());
  EXPECT_EQ(impacts.begin(), t);
}

}  // namespace
}  // namespace driftless
