#include "driftless/integrate/crossings/sample_crossings.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using samples::Curve;
using samples::Kind;
using samples::line;
using samples::Search;
using samples::Steps;
using testing::ElementsAre;

TEST(Crossings, OfALineAreNeighbours) {
  for (const Kind kind : {Kind::Less, Kind::LessEqual})
    for (const double slope : {1.0, -1.0, 3e5, -2e-7}) {
      Search search({line(kind, 0.3, slope)});
      search.size = std::abs(slope);
      search.hold_at(0.0);
      EXPECT_FALSE(search.find(0.0, 0.25));
      EXPECT_LE(search.looks, 2);
      const auto found = search.find(0.25, 1.0);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->at, 0.3, 1e-16);
      EXPECT_EQ(found->at, std::nextafter(found->before, 1.0));
      EXPECT_LT(search.looks, 12);
    }
}

// 0 belongs to one side: 0 < 0 is false, 0 <= 0 is true.
TEST(Crossings, AtZeroHaveTheValueOfZero) {
  for (const Kind kind : {Kind::Less, Kind::LessEqual})
    for (const double slope : {1.0, -1.0}) {
      Search search({line(kind, 0.25, slope)});
      search.hold_at(0.0);
      const auto found = search.find(0.0, 1.0);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->at, (kind == Kind::Less) == (slope > 0.0) ? 0.25 : std::nextafter(0.25, 1.0));
    }
}

// A step without events evaluates its end, and nothing else.
TEST(Crossings, CostOneLookWhereNothingHappens) {
  Search search({line(Kind::Less, 5.0),
                 {Kind::Less, [](double t) { return 2.0 + std::sin(t); }, [](double t) { return std::cos(t); }}});
  search.hold_at(0.0);
  EXPECT_FALSE(search.find(0.0, 0.1));
  for (double t = 0.1; t < 4.0; t += 0.1) {
    EXPECT_FALSE(search.find(t, t + 0.1));
    EXPECT_EQ(search.looks, 1) << t;
  }
}

// Two points between replace unknown slopes in the first step.
TEST(Crossings, CostFourLooksWithoutSlopesAfterAnEvent) {
  Search search({{Kind::Less, [](double t) { return 2.0 - t * t * t; }, {}}});
  search.hold_at(0.0);
  EXPECT_FALSE(search.find(0.0, 1.0));
  EXPECT_EQ(search.looks, 4);
  EXPECT_FALSE(search.find(1.0, 1.2));
  EXPECT_EQ(search.looks, 1);
}

// A cubic that leaves its range between the ends of the first step, and is found by two more points.
TEST(Crossings, OfACubicInTheFirstStepAreFoundWithoutSlopes) {
  Search search({{Kind::Less, [](double t) { return 0.1 + t * (t - 1.0) * (t - 0.3) * 8.0; }, {}}});
  const auto events = search.all(0.0, 1.0, 1.0, Steps::Short);
  ASSERT_EQ(events.size(), 2u);
  for (const auto& event : events) EXPECT_NEAR(0.1 + event.t * (event.t - 1.0) * (event.t - 0.3) * 8.0, 0.0, 1e-15);
}

TEST(Crossings, CostTwoLooksInAStepOfCollocationWhereNothingHappens) {
  Search search({line(Kind::Less, 50.0),
                 {Kind::Less, [](double t) { return 20.0 + std::sin(t); }, [](double t) { return std::cos(t); }}});
  search.hold_at(0.0);
  EXPECT_FALSE(search.find(0.0, 1.0, Steps::Medium));
  for (double t = 1.0; t < 9.0; t += 1.0) {
    EXPECT_FALSE(search.find(t, t + 1.0, Steps::Medium));
    EXPECT_EQ(search.looks, 2) << t;
  }
}

// A step of half an oscillation and more, with a peak of 0.1 % in it: the cubic through its ends does not approach it.
TEST(Crossings, ThatCubicsDoNotShowAreSeenInTheMiddle) {
  for (const double step : {3.0, 3.3, 4.0}) {
    Search search({{Kind::Less, [](double t) { return std::cos(t) - 0.999; }, [](double t) { return -std::sin(t); }}});
    const auto events = search.all(-0.5 * step, 0.5 * step, step, Steps::Medium);
    ASSERT_EQ(events.size(), 2u) << step;
    EXPECT_NEAR(events[0].t, -std::acos(0.999), 1e-12);
    EXPECT_NEAR(events[1].t, std::acos(0.999), 1e-12);
  }
}

TEST(Crossings, OfFloorAndCeilAreThoseOfTheirIntegers) {
  for (const Kind kind : {Kind::Floor, Kind::Ceil})
    for (const double sign : {1.0, -1.0}) {
      Search search({{kind, [=](double t) { return sign * 2.5 * t + 0.25; }, [=](double) { return sign * 2.5; }}});
      const auto events = search.all(0.0, 3.0, 0.7, Steps::Short);
      ASSERT_EQ(events.size(), sign > 0.0 ? 7u : 8u);
      for (std::size_t i = 0; i < events.size(); ++i)
        EXPECT_NEAR(events[i].t, (static_cast<double>(i) + (sign > 0.0 ? 0.75 : 0.25)) / 2.5, 1e-15);
    }
}

TEST(Crossings, TwiceInOneStepAreFoundWithTheSameSignAtBothEnds) {
  for (const bool has_slope : {true, false})
    for (const double height : {0.2, 0.5, 0.9, 0.99, 0.9999, 1.0 - 1e-9, 1.0 - 1e-13, 1.0 + 1e-13}) {
      Curve wave{Kind::Less, [=](double t) { return std::sin(t) - height; }, [](double t) { return std::cos(t); }};
      if (!has_slope) wave.slope = {};
      Search search({wave});
      const auto events = search.all(0.0, 3.0, 3.0, Steps::Short);
      ASSERT_EQ(events.size(), height < 1.0 ? 2u : 0u) << height << has_slope;
      if (events.empty()) continue;
      const double first = std::asin(height), room = 4.5e-16 + 4e-16 / std::cos(first);  // of the time and of g
      EXPECT_NEAR(events[0].t, first, room);
      EXPECT_NEAR(events[1].t, M_PI - first, room);
    }
}

// The parabola through the last three values shows the excursion that a chord does not show.
TEST(Crossings, TwiceInOneOfSeveralStepsAreFoundWithoutSlopes) {
  Search search({{Kind::Less, [](double t) { return (t - 0.55) * (t - 0.55) - 1e-4; }, {}}});
  const auto events = search.all(0.0, 1.0, 0.1, Steps::Short);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].t, 0.54, 1e-14);
  EXPECT_NEAR(events[1].t, 0.56, 1e-14);
}

TEST(Crossings, AContactThatTouchesExactlyIsNoneAndOneThatCrossesIsOne) {
  for (const Kind kind : {Kind::Less, Kind::LessEqual})
    for (const double side : {1.0, -1.0})
      for (const double over : {-1e-9, 0.0, 1e-9, 1e-13}) {
        Search search({{kind, [=](double t) { return side * ((t - 0.4) * (t - 0.4) - over); },
                        [=](double t) { return side * 2.0 * (t - 0.4); }}});
        for (const double step : {1.0, 0.4, 0.15}) {
          const auto events = search.all(0.0, 1.0, step, Steps::Short);
          EXPECT_EQ(events.size(), over > 0.0 ? 2u : 0u) << side << " " << over << " " << step;
        }
      }
}

// After an event the function may lie on either side of its bound by rounding.
TEST(Crossings, ABeginningOnTheBoundCausesAnEventOnlyIfTheFunctionLeavesToTheOtherSide) {
  for (const double beside : {0.0, 1e-17, -1e-17})
    for (const double held : {0.0, 1.0})
      for (const double slope : {2.0, -2.0})
        for (const Steps steps : {Steps::Short, Steps::Medium, Steps::Long}) {
          Search search({{Kind::Less, [=](double t) { return beside + slope * t; }, [=](double) { return slope; }}});
          search.hold({held});
          const auto found = search.find(0.0, 0.5, steps);
          const bool is_right = (slope < 0.0) == (held == 1.0);
          EXPECT_EQ(static_cast<bool>(found), !is_right) << beside << " " << held << " " << slope;
          if (found) {
            EXPECT_LT(found->at, 1e-14);
          }
        }
}

TEST(Crossings, AFunctionThatRestsOnItsBoundCausesNone) {
  Search search({{Kind::Less, [](double t) { return 1e-17 * std::sin(1e3 * t); }, {}},
                 {Kind::LessEqual, [](double) { return 0.0; }, [](double) { return 0.0; }}});
  EXPECT_TRUE(search.all(0.0, 1.0, 0.01, Steps::Short).empty());
  EXPECT_TRUE(search.all(0.0, 1.0, 0.25, Steps::Long).empty());
}

// The polynomial of a step begins a little off the point after the event.
TEST(Crossings, AGapBetweenTheBeginningAndThePolynomialCausesNone) {
  for (const double gap : {1e-13, -1e-13, 1e-10})
    for (const double beside : {0.0, 1e-14, -1e-14})
      for (const Steps steps : {Steps::Short, Steps::Medium, Steps::Long}) {
        Search search({{Kind::Less, [=](double t) { return beside - 2.0 * (t - 1.0) + (t > 1.0 ? gap : 0.0); },
                        [](double) { return -2.0; }}});
        search.hold({1.0});
        EXPECT_FALSE(search.find(1.0, 1.5, steps)) << gap << " " << beside;
      }
}

// A crossing is found once, wherever steps end near it.
TEST(Crossings, AtTheEndOfAStepAreFoundOnce) {
  for (const double slope : {1.0, -3.0})
    for (const Kind kind : {Kind::Less, Kind::LessEqual})
      for (const Steps steps : {Steps::Short, Steps::Medium, Steps::Long})
        for (int units = -3; units <= 3; ++units) {
          double end = 0.3;
          for (int k = 0; k < std::abs(units); ++k) end = std::nextafter(end, units > 0 ? 1.0 : 0.0);
          Search search({line(kind, 0.3, slope)});
          const auto events = search.all(0.0, 1.0, end, steps);
          ASSERT_EQ(events.size(), 1u) << slope << " " << units;
          EXPECT_NEAR(events[0].t, 0.3, 4e-16);
        }
}

// It rises from its bound, or from a little below, and returns.
TEST(Crossings, ABounceIsFoundWhereItEndsAndNotWhereItBegins) {
  for (const double beside : {-1e-17, -1e-10})
    for (const double flight : {1.0, 1e-3, 0.3})
      for (const double step : {10.0, 0.07, 1.0}) {
        Search search({{Kind::Less, [=](double t) { return (t - 1.0) * (1.0 + flight - t) + beside; },
                        [=](double t) { return 2.0 + flight - 2.0 * t; }}});
        search.hold({0.0});
        double t = 1.0;
        std::optional<Crossings::Found> found;
        while (!found && t < 3.0) {
          found = search.find(t, t + step * flight);
          t += step * flight;
        }
        ASSERT_TRUE(found) << flight << " " << step;
        const double landing = 1.0 + 0.5 * (flight + std::sqrt(flight * flight + 4.0 * beside));
        EXPECT_NEAR(found->at, landing, 1e-15 * (1.0 + 1.0 / flight)) << beside << " " << flight << " " << step;
      }
}

TEST(Crossings, WhatIsHeldMustNotContradictTheBeginning) {
  Search search({line(Kind::Less, 0.3)});
  search.hold({0.0});  // t - 0.3 < 0 is true at 0
  const auto found = search.find(0.0, 0.1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 0.0);
  EXPECT_THAT(search.crossed(), ElementsAre(0));
}

TEST(Crossings, WithinRoundingOfEachOtherAreOneEvent) {
  Search search({line(Kind::Less, 0.3),
                 line(Kind::LessEqual, 0.3, -7.0),
                 line(Kind::Less, 0.7),
                 {Kind::Floor, [](double t) { return 10.0 * t; }, [](double) { return 10.0; }}});
  search.hold({1.0, 0.0, 1.0, 2.0});
  const auto found = search.find(0.25, 1.0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at, 0.3, 1e-15);
  EXPECT_THAT(search.crossed(), ElementsAre(0, 1, 3));
}

TEST(Crossings, AStepThatIsTakenAgainFindsTheSame) {
  Search search({line(Kind::Less, 0.3)});
  search.hold_at(0.0);
  const auto once = search.find(0.0, 1.0), again = search.find(0.0, 1.0), shorter = search.find(0.0, 0.2);
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->at, again->at);
  EXPECT_FALSE(shorter);
  EXPECT_TRUE(search.find(0.2, 0.4));
}

TEST(Crossings, OfOscillationsWithinAStepAreAllFound) {
  for (const double w : {40.0, 400.0}) {
    Search search(
        {{Kind::Less, [=](double t) { return std::sin(w * t) - 0.5; }, [=](double t) { return w * std::cos(w * t); }}});
    const auto events = search.all(0.0, 1.0, 1.0, Steps::Oscillating);
    std::vector<double> expected;
    for (int k = 0; k < 100; ++k)
      for (const double phase : {std::asin(0.5), M_PI - std::asin(0.5)})
        if (const double t = (phase + 2.0 * M_PI * k) / w; t < 1.0) expected.push_back(t);
    ASSERT_EQ(events.size(), expected.size()) << w;
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(events[i].t, expected[i], 1e-15);
  }
}

// With x = 2t - 1 = cos(theta), sin(theta) sin(16 theta) is a polynomial of x that vanishes at all Chebyshev points of
// degree 16: only slopes show it.
TEST(Crossings, ThatVanishAtTheChebyshevPointsAreFound) {
  const auto g = [](double t) {
    const double angle = std::acos(std::clamp(2.0 * t - 1.0, -1.0, 1.0));
    return 0.05 + std::sin(angle) * std::sin(16.0 * angle);
  };
  const auto slope = [](double t) {
    const double x = 2.0 * t - 1.0, angle = std::acos(std::clamp(x, -1.0, 1.0)), sine = std::sin(angle);
    const double quotient = sine < 1e-6 ? (x > 0.0 ? 16.0 : -16.0) : std::sin(16.0 * angle) / sine;
    return -2.0 * (x * quotient + 16.0 * std::cos(16.0 * angle));
  };
  std::size_t changes = 0;
  for (int i = 0; i < 100000; ++i) changes += (g(i * 1e-5) < 0.0) != (g((i + 1) * 1e-5) < 0.0);
  Search search({{Kind::Less, g, slope}});
  EXPECT_EQ(search.all(0.0, 1.0, 1.0, Steps::Oscillating).size(), changes);
}

// A short pulse in a long step of a method of high order.
TEST(Crossings, OfAPulseInALongStepAreFound) {
  for (const double centre : {0.21, 0.5, 0.83}) {
    const auto g = [=](double t) { return std::exp(-200.0 * (t - centre) * (t - centre)) - 0.5; };
    Search search({{Kind::Less, g, [=](double t) { return -400.0 * (t - centre) * (g(t) + 0.5); }}});
    const auto events = search.all(0.0, 1.0, 1.0, Steps::Long);
    ASSERT_EQ(events.size(), 2u) << centre;
    EXPECT_NEAR(events[0].t, centre - std::sqrt(std::log(2.0) / 200.0), 1e-15);
    EXPECT_NEAR(events[1].t, centre + std::sqrt(std::log(2.0) / 200.0), 1e-15);
  }
}

// More oscillations than all pieces can show: finding nothing must not count as an answer.
TEST(Crossings, ThatCannotBeDecidedAreTold) {
  const std::vector<Crossings::Function> functions{{Kind::Less, true}};
  const auto sizes = [](double, std::span<double> out) { std::ranges::fill(out, 1.0); };
  for (const double w : {1e2, 1e6}) {
    const auto values = [=](double t, std::span<double> out) {
      return out[0] = std::sin(w * t) - 2.0, out[1] = w * std::cos(w * t), true;
    };
    Crossings crossings(functions, 1e-8);
    crossings.hold(std::vector<double>{1.0});
    EXPECT_FALSE(crossings.find(0.0, 1.0, {values, sizes}, Steps::Oscillating));
    EXPECT_EQ(crossings.undecided().has_value(), w > 1e5) << w;
  }
}

// A kink near the bound does not make the result undecided.
TEST(Crossings, BesideAKinkAreDecided) {
  const std::vector<Crossings::Function> functions{{Kind::Less, true}};
  const auto sizes = [](double, std::span<double> out) { std::ranges::fill(out, 1.0); };
  for (const double depth : {1e-2, 1e-5, 1e-7, -1e-7, -1e-5}) {
    const auto values = [=](double t, std::span<double> out) {
      return out[0] = std::abs(t - 0.3183) + depth, out[1] = t < 0.3183 ? -1.0 : 1.0, true;
    };
    Crossings crossings(functions, 1e-8);
    crossings.hold(std::vector<double>{0.0});
    EXPECT_EQ(crossings.find(0.0, 1.0, {values, sizes}, Steps::Long).has_value(), depth < 0.0) << depth;
    EXPECT_FALSE(crossings.undecided()) << depth;
  }
}

// A solved value at a point inside the step compared with the held value.
TEST(Crossings, ThatWereMissedShowAtPointsInside) {
  Crossings crossings({{Kind::Less, true}}, 1e-6);
  crossings.hold(std::vector<double>{0.0});
  const std::vector<double> sizes{1.0, 2.0};
  EXPECT_FALSE(crossings.contradicted(std::vector<double>{0.5, 0.0}, sizes));
  EXPECT_FALSE(crossings.contradicted(std::vector<double>{-1e-5, 0.0}, sizes));
  EXPECT_EQ(crossings.contradicted(std::vector<double>{-1e-3, 0.0}, sizes), 0);
}

TEST(Crossings, AreTheSameAfterASearchWasSavedAndRead) {
  const std::vector<Crossings::Function> functions{{Kind::Less, true}};
  const auto values = [](double t, std::span<double> out) {
    return out[0] = std::sin(t) - 0.5, out[1] = std::cos(t), true;
  };
  const auto sizes = [](double, std::span<double> out) { std::ranges::fill(out, 1.0); };
  Crossings one(functions, 1e-8), other(functions, 1e-8);
  one.hold(std::vector<double>{1.0});
  EXPECT_FALSE(one.find(0.0, 0.4, {values, sizes}, Steps::Short));
  Archive writer;
  one.archive(writer);
  Archive reader(writer.bytes());
  other.archive(reader);
  const auto expected = one.find(0.4, 1.0, {values, sizes}, Steps::Short),
             found = other.find(0.4, 1.0, {values, sizes}, Steps::Short);
  ASSERT_TRUE(expected && found);
  EXPECT_EQ(found->at, expected->at);
  EXPECT_NEAR(found->at, std::asin(0.5), 1e-15);
}

}  // namespace
}  // namespace driftless
