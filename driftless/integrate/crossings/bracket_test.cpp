#include "driftless/integrate/crossings/bracket.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

template <class G>
int evaluations_until(double width, Bracket& bracket, const G& g) {
  int count = 0;
  for (; bracket.behind - bracket.before > width && count < 200; ++count) {
    const auto t = bracket.next();
    if (!t) break;
    bracket.take(*t, g(*t));
    EXPECT_TRUE((bracket.g_before > 0.0) != (bracket.g_behind > 0.0));
  }
  return count;
}

// Without the halving one end would stay for ever, as for e^t - 2; with it both approach the zero.
TEST(Bracket, ClosesFromBothSides) {
  const auto g = [](double t) { return std::exp(8.0 * t) - 2.0; };
  for (const double sign : {1.0, -1.0})
    for (const bool at_once : {true, false}) {
      Bracket bracket{0.0, 1.0, sign * g(0.0), sign * g(1.0), at_once};
      EXPECT_LT(evaluations_until(1e-9, bracket, [&](double t) { return sign * g(t); }), 40) << at_once;
      EXPECT_NEAR(bracket.before, std::log(2.0) / 8.0, 1e-9);
      EXPECT_NEAR(bracket.behind, std::log(2.0) / 8.0, 1e-9);
    }
}

TEST(Bracket, HalvesTheValueOfTheEndThatStays) {
  Bracket at_once{0.0, 1.0, -1.0, 1.0, true}, later{0.0, 1.0, -1.0, 1.0};
  for (Bracket* bracket : {&at_once, &later}) bracket->take(0.5, 0.75);
  EXPECT_EQ(at_once.g_before, -0.5);
  EXPECT_EQ(later.g_before, -1.0);
  later.take(0.25, 0.5);
  EXPECT_EQ(later.g_before, -0.5);
  later.take(0.1, -0.25);
  EXPECT_EQ(later.g_behind, 0.5);
}

TEST(Bracket, TakesTheMiddleWhereTheChordHasNoZeroBetween) {
  const Bracket bracket{0.0, 1.0, -0.0, 1.0};
  EXPECT_EQ(bracket.next(), 0.5);
  EXPECT_EQ((Bracket{0.0, 1.0, -1.0, 3.0}.next()), 0.25);
  EXPECT_EQ((Bracket{0.0, 1.0, -1.0, 3.0}.next(true)), 0.5);
}

TEST(Bracket, EndsWhereNoNumberLiesBetween) {
  EXPECT_FALSE((Bracket{1.0, std::nextafter(1.0, 2.0), -1.0, 1.0}.next()));
}

}  // namespace
}  // namespace driftless
