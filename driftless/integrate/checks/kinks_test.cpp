#include "driftless/integrate/checks/kinks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using Branches = Kinks::Branches;

struct Curve {
  std::function<double(double)> x, slope;
};

const Curve sine{[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};

// The kinks of y along a path of x. Counts the points within the step that are evaluated.
class Along {
 public:
  Along(const std::string& y, Curve curve, double tolerance = 1e-6)
      : problem_(
            samples::from_text_without_events(
                "model M Real x(start = 1, fixed = true), y, u; equation der(x) = 1; u = 2*x; y = " + y + "; end M;"),
            formulation::Index1{}),
        kinks(problem_.system, tolerance),
        curve_(std::move(curve)) {}

  std::optional<double> find(double a, double b, int points = 3, Branches branches = Branches::OfEveryPoint) {
    asked = 0;
    a_ = a, b_ = b;
    return kinks.find(a, b, path(), points, branches);
  }
  double locate_passed() { return kinks.locate_passed(path()); }

  int asked = 0;

 private:
  Kinks::Path path() {
    return [this](double t, std::span<double> quantities) {
      const Reduced& r = problem_.system.reduced();
      if (t > a_ && t < b_) ++asked;
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        const std::string name = r.name(r.quantities[k]);
        quantities[k] = name == "x"        ? curve_.x(t)
                        : name == "u"      ? 2.0 * curve_.x(t)
                        : name == "der(x)" ? curve_.slope(t)
                                           : 1.0;
      }
      return true;
    };
  }

  samples::SampleProblem problem_;

 public:
  Kinks kinks;

 private:
  Curve curve_;
  double a_ = 0.0, b_ = 0.0;
};

// x = sin t exceeds the level around pi/2 only.
TEST(KinksInSteps, AnExcursionBetweenTheEndsEndsTheStep) {
  for (const char* const kink : {"max(x - 0.99, 0)", "min(0.99, x)", "abs(x - 0.99)",
                                 "if x > 0.99 then x - 0.99 else 0", "sign(x - 0.99)*(x - 0.99)", "max(u - 1.98, 0)"}) {
    Along along(kink, sine);
    const auto end = along.find(1.0, 2.2);
    ASSERT_TRUE(end) << kink;
    EXPECT_NEAR(*end, std::asin(0.99), 2e-5) << kink;
    EXPECT_GT(*end, std::asin(0.99)) << kink << ": behind the kink";
    const auto next = along.find(*end, 2.2);  // the excursion is visible at neither end: the beginning is at the kink
    ASSERT_TRUE(next) << kink;
    EXPECT_NEAR(*next, 3.141592653589793 - std::asin(0.99), 2e-5) << kink;
    EXPECT_FALSE(along.find(*next, 3.0)) << kink;
  }
}

TEST(KinksInSteps, NothingIsAskedForWhereTheEndsTellEnough) {
  Along along("max(x - 0.99, 0)", sine);
  EXPECT_FALSE(along.find(0.0, 0.5));  // far away
  EXPECT_EQ(along.asked, 0);
  EXPECT_FALSE(along.find(0.5, 1.5));  // one branch at each end
  EXPECT_EQ(along.asked, 0);
  EXPECT_FALSE(Along("max(x - 1.2, 0)", sine).find(1.0, 2.2));  // an extremum that does not reach it
  Along quiet("sin(x)", sine);
  EXPECT_FALSE(quiet.kinks.exist());
}

// What begins behind the end of the step that was found is not located: a large model has hundreds of kinks.
TEST(KinksInSteps, OnlyTheFirstExcursionIsLocated) {
  Along first("max(x - 0.95, 0)", sine), both("max(x - 0.95, 0) + max(x - 0.99, 0)", sine);
  const auto end = first.find(1.0, 2.2);
  ASSERT_TRUE(end);
  EXPECT_EQ(both.find(1.0, 2.2), end);
  EXPECT_EQ(both.asked, first.asked);
}

TEST(KinksInSteps, AKinkBetweenTwoBranchesIsPassedAndLocated) {
  Along along("max(x - 0.5, 0)", sine);
  EXPECT_FALSE(along.find(0.2, 1.2));
  ASSERT_EQ(along.kinks.passed().size(), 1u);
  EXPECT_NEAR(along.kinks.passed()[0], std::asin(0.5), 1e-2);  // by the cubic
  EXPECT_FALSE(along.kinks.passed_root());
  EXPECT_NEAR(along.locate_passed(), std::asin(0.5), 2e-6);
  Along two("max(x - 0.5, 0) + abs(x - 0.3) + sqrt(max(x - 0.7, 0))", sine);
  EXPECT_FALSE(two.find(0.2, 1.2));
  ASSERT_EQ(two.kinks.passed().size(), 3u);
  EXPECT_LT(two.kinks.passed()[0], two.kinks.passed()[1]);
  EXPECT_TRUE(two.kinks.passed_root());
  EXPECT_NEAR(two.locate_passed(), std::asin(0.3), 2e-6);
}

// Excursions below the errors of x, and noise around a kink.
TEST(KinksInSteps, WhatTheToleranceAllowsIsNoExcursion) {
  EXPECT_FALSE(Along("max(x - 0.999, 0)", sine, 1e-3).find(1.0, 2.2));
  EXPECT_TRUE(Along("max(x - 0.999, 0)", sine, 1e-4).find(1.0, 2.2));
  const Curve noise{[](double t) { return 1e-8 * std::sin(1e3 * t); },
                    [](double t) { return 1e-5 * std::cos(1e3 * t); }};
  Along rest("abs(x)", noise);
  for (int k = 0; k < 100; ++k) EXPECT_FALSE(rest.find(0.01 * k, 0.01 * (k + 1))) << k;
}

// The series of a step has the branch of its beginning, however close to the kink it is.
TEST(KinksInSteps, ASeriesMustHaveTheBranchOfItsStep) {
  const double kink = std::asin(0.99);
  EXPECT_TRUE(Along("max(x - 0.99, 0)", sine).find(kink - 1e-9, 2.2, 12, Branches::OfTheBeginning));
  const auto end = Along("max(x - 0.99, 0)", sine).find(0.5, 2.2, 12, Branches::OfTheBeginning);
  ASSERT_TRUE(end);
  EXPECT_NEAR(*end, kink, 2e-5);
  EXPECT_FALSE(Along("max(x - 0.99, 0)", sine).find(0.2, 1.5, 12, Branches::OfTheBeginning)) << "its end tells";
}

// A function of time alone needs no path, and may oscillate.
TEST(KinksInSteps, KinksOfTimeAlone) {
  Along along("max(sin(5*time) - 0.9, 0)", sine);
  const auto end = along.find(0.0, 1.0);
  ASSERT_TRUE(end);
  EXPECT_NEAR(*end, std::asin(0.9) / 5.0, 1e-8);
  EXPECT_EQ(along.asked, 0);
  const auto fast = Along("max(sin(60*time) - 0.9, 0)", sine).find(0.001, 1.0);
  ASSERT_TRUE(fast);
  EXPECT_NEAR(*fast, std::asin(0.9) / 60.0, 1e-8);
  EXPECT_FALSE(Along("max(time - 0.5, 0)", sine).kinks.exist()) << "an instant";
}

TEST(KinksInSteps, TheCourseTellsWhichBranchesTheEndsShow) {
  const auto crossing = [](std::vector<double> g, bool begins = false) -> int {
    Kinks::Course course;
    for (std::size_t i = 0; i < g.size(); ++i) course.add(static_cast<double>(i), g[i], 0.01);
    const auto found = course.hidden_crossing(begins);
    return found ? static_cast<int>(found->behind) : -1;
  };
  EXPECT_EQ(crossing({1, 1, 1}), -1);
  EXPECT_EQ(crossing({1, -1}), -1);
  EXPECT_EQ(crossing({1, -1, 1}), 1);
  EXPECT_EQ(crossing({1, 0.005, -0.005, 1}), -1) << "within what is allowed";
  EXPECT_EQ(crossing({0.005, -1, -1}), -1) << "begins at the kink";
  EXPECT_EQ(crossing({0.005, -1, 1}), 2);
  EXPECT_EQ(crossing({0.1, 1, -1}), 2) << "the beginning hardly shows its branch";
  EXPECT_EQ(crossing({0.1, 1, -1}, true), -1) << "but has taken it";
  EXPECT_EQ(crossing({1, -1, -0.1}), 1) << "the end hardly shows its branch";
  EXPECT_EQ(crossing({1, -1, -0.1}, true), 1);
}

}  // namespace
}  // namespace driftless
