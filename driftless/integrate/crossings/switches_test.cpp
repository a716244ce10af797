#include "driftless/integrate/crossings/switches.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

// The switches of a model, whose variable x follows a given path; the other quantities are 1.
class Along {
 public:
  Along(const std::string& equations, std::function<double(double)> x)
      : problem_(samples::from_text_without_events("model M Real x(start = 1, fixed = true), y; equation der(x) = 1; " +
                                                   equations + " end M;"),
                 formulation::Index1{}),
        switches_(problem_.system),
        x_(std::move(x)) {}

  Switches& switches() { return switches_; }

  std::optional<Switches::Crossing> find(double a, double b, int points_between) {
    const Reduced& r = problem_.system.reduced();
    return switches_.find(
        a, b,
        [&](double t, std::span<double> quantities) {
          for (std::size_t k = 0; k < quantities.size(); ++k)
            quantities[k] = r.name(r.quantities[k]) == "x" ? x_(t) : 1.0;
          return true;
        },
        points_between);
  }

 private:
  samples::SampleProblem problem_;
  Switches switches_;
  std::function<double(double)> x_;
};

TEST(Switches, AJumpIsBracketedByNeighbours) {
  for (const char* const jump : {"y = if x < 0.3 then 1 else 2;", "y = if x >= 0.3 then 1 else 2;",
                                 "y = sign(x - 0.3);", "y = floor(x + 0.7);", "y = ceil(x - 0.3);"}) {
    Along line(jump, [](double t) { return t; });
    ASSERT_TRUE(line.switches().exist()) << jump;
    const auto found = line.find(0.0, 1.0, 3);
    ASSERT_TRUE(found) << jump;
    EXPECT_NEAR(found->before, 0.3, 1e-15) << jump;
    EXPECT_LE(found->before, found->behind);
    EXPECT_LE(found->behind, std::nextafter(std::nextafter(found->before, 1.0), 1.0)) << jump;
    EXPECT_FALSE(found->is_pole);
    EXPECT_FALSE(line.find(0.31, 1.0, 3)) << jump;
    EXPECT_FALSE(line.find(0.0, 0.29, 3)) << jump;
  }
}

TEST(Switches, TheFirstOfSeveralJumpsIsFoundAndNamed) {
  Along line("y = (if x < 0.7 then 1 else 2) + (if x < 0.4 then 3 else 5);", [](double t) { return t; });
  const auto found = line.find(0.0, 1.0, 3);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->before, 0.4, 1e-15);
  EXPECT_THAT(found->what, HasSubstr("x < 0.4 in line 1"));
}

// Two jumps that cancel each other between two evaluated points: a parabola finds the extremum.
TEST(Switches, AnExcursionBetweenThePointsIsFound) {
  Along bump("y = if x < 0.999 then 1 else 2;", [](double t) { return std::sin(t); });
  const auto found = bump.find(0.0, 3.0, 3);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->before, std::asin(0.999), 1e-12);
  EXPECT_FALSE(Along("y = if x < 1.001 then 1 else 2;", [](double t) { return std::sin(t); }).find(0.0, 3.0, 3));
}

TEST(Switches, BranchesThatMeetAreNoJump) {
  EXPECT_FALSE(Along("y = if x < 0.3 then 0 else x - 0.3;", [](double t) { return t; }).find(0.0, 1.0, 3));
  for (const char* const kink : {"y = max(x, 0.3);", "y = abs(x - 0.3);"})
    EXPECT_FALSE(Along(kink, [](double t) { return t; }).switches().exist()) << kink;
  // After a kink the search continues.
  const auto found = Along("y = (if x < 0.3 then 0 else x - 0.3) + (if x < 0.6 then 1 else 2);", [](double t) {
                       return t;
                     }).find(0.0, 1.0, 0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->before, 0.6, 1e-15);
}

// Rounding of a quantity that is 0 repeatedly changes a part of the condition, but not the branch.
TEST(Switches, WhereTheBranchStaysTheSameThereIsNoJump) {
  const auto rounding = [](double t) { return 1e-17 * std::sin(1e17 * t); };
  EXPECT_FALSE(Along("y = if abs(x) <= 5e-18 and y > 2 then 1 else 2*x;", rounding).find(0.0, 1.0, 3));
  EXPECT_TRUE(Along("y = if abs(x) <= 5e-18 and y > 0.5 then 1 else 2*x;", rounding).find(0.0, 1.0, 3));
}

TEST(Switches, APoleIsADenominatorThatPassesZeroAlone) {
  for (const char* const pole :
       {"y = 1/(x - 0.3);", "y = 2/(3*(x - 0.3)*y);", "y = (x - 0.3)^(-3);", "y = tan(x + 1.2707963267948966);"}) {
    const auto found = Along(pole, [](double t) { return t; }).find(0.0, 1.0, 3);
    ASSERT_TRUE(found) << pole;
    EXPECT_TRUE(found->is_pole) << pole;
    EXPECT_NEAR(found->behind, 0.3, 1e-14) << pole;
  }
  EXPECT_FALSE(Along("y = (x - 0.3)*(x + 1)/(x - 0.3);", [](double t) { return t; }).find(0.0, 1.0, 3));
}

TEST(Switches, APoleInABranchThatIsNotTakenIsNone) {
  const auto x = [](double t) { return t; };
  EXPECT_FALSE(Along("y = if x < 0.5 then 1 else 0.2/(x - 0.3);", x).find(0.0, 1.0, 3));
  EXPECT_FALSE(Along("y = if x < 0.5 then 1 else if x < 2 then 0.2/(x - 0.3) else tan(x + 1.2707963267948966);", x)
                   .find(0.0, 1.0, 3));
  const auto taken = Along("y = if x < 0.1 then -1 else 0.2/(x - 0.3);", x).find(0.0, 1.0, 3);
  ASSERT_TRUE(taken);
  EXPECT_TRUE(taken->is_pole);
  EXPECT_NEAR(taken->behind, 0.3, 1e-14);
}

TEST(Switches, InstantsOfTimeAreKnownInAdvance) {
  for (const char* const instant : {"y = if 2*time < 0.6 then 1 else 2;", "y = sign(0.3 - time);",
                                    "y = max(time - 0.3, 0);", "y = abs(0.6 - 2*time);", "y = min(time, 0.3);"}) {
    Along line(instant, [](double t) { return t; });
    EXPECT_FALSE(line.switches().exist()) << instant;
    ASSERT_TRUE(line.switches().next_instant(0.0)) << instant;
    EXPECT_NEAR(*line.switches().next_instant(0.0), 0.3, 1e-15) << instant;
    EXPECT_FALSE(line.switches().next_instant(0.31)) << instant;
  }
  Along wave("y = floor(4*time) - (if time < 0.6 then 0 else 1);", [](double t) { return t; });
  for (const auto& [from, next] :
       std::vector<std::pair<double, double>>{{0.0, 0.25}, {0.25, 0.5}, {0.5, 0.6}, {0.6, 0.75}})
    EXPECT_NEAR(*wave.switches().next_instant(from), next, 1e-15) << from;
}

// A function of time alone may oscillate within a step, however smooth the rest is.
TEST(Switches, WhatOscillatesInTimeIsLookedAtClosely) {
  Along wave("y = if sin(40*time) < 0.5 then 1 else 2;", [](double) { return 0.0; });
  const auto found = wave.find(0.0, 1.0, 1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->before, std::asin(0.5) / 40.0, 1e-14);
}

// A denominator that cannot become negative gives no pole, also under another name.
TEST(Switches, DenominatorsThatAreNeverNegativeAreNotWatched) {
  const auto is_watched = [](const std::string& equations) {
    return Along(equations, [](double t) { return t; }).switches().exist();
  };
  for (const char* safe : {"y = 1/(x^2 + 1);", "y = 1/sqrt(x);", "y = 1/(exp(x) + abs(x));", "y = x^2 + exp(1/y);"})
    EXPECT_FALSE(is_watched(safe)) << safe;
  for (const char* unsafe : {"y = 1/(x^2 - 1);", "y = 1/(x^3 + 1);", "y = 1/x;", "y = 1/x^2;", "y = x^(-2);",
                             "y = 1/(sqrt(x) + sin(x));", "y = x + exp(1/y);"})
    EXPECT_TRUE(is_watched(unsafe)) << unsafe;
}

TEST(Switches, NothingIsWatchedInASmoothModel) {
  Along smooth("y = sin(x)*exp(x) + time/(2 + 1);", [](double t) { return t; });
  EXPECT_FALSE(smooth.switches().exist());
  EXPECT_FALSE(smooth.switches().has_instants());
}

}  // namespace
}  // namespace driftless
