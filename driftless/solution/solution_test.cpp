#include "driftless/solution/solution.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;

TEST(Solution, FindsColumnsByName) {
  const Solution s = sample_solution();
  EXPECT_EQ(s.series(), 2u);
  EXPECT_EQ(s.find("der(x)"), 1u);
  EXPECT_EQ(s.find("g"), 3u);
  EXPECT_EQ(s.find("y"), std::nullopt);
  EXPECT_EQ(s.value(1, 1), -2.5);
}

TEST(Solution, ReadsSeriesParametersAndTime) {
  const Solution s = sample_solution();
  EXPECT_THAT(s.column("x"), ElementsAre(1.0, 0.1, -1.0));
  EXPECT_THAT(s.column("L"), ElementsAre(1.5, 1.5, 1.5));
  EXPECT_THAT(s.column("time"), ElementsAre(0.0, 5.0, 10.0));
  EXPECT_EQ(s.final("x"), -1.0);
  EXPECT_EQ(s.final("L"), 1.5);
  EXPECT_EQ(s.final("time"), 10.0);
  EXPECT_THROW(s.column("y"), std::out_of_range);
  EXPECT_THROW(s.final("y"), std::out_of_range);
}

TEST(Solution, AVariableNamedTimeHidesTheClock) {
  Solution s = sample_solution();
  s.columns[0].name = "time";
  EXPECT_EQ(s.final("time"), -1.0);
}

TEST(Solution, WithoutAnyPointHasNoFinalValue) {
  Solution s = sample_solution();
  s.times.clear();
  s.values.clear();
  EXPECT_TRUE(std::isnan(s.final("x")));
  EXPECT_EQ(s.final("g"), 9.81);
  EXPECT_TRUE(s.column("x").empty());
}

TEST(Solution, LargestResidualIsTheWorstOfAllLevels) {
  Solution s = sample_solution();
  EXPECT_EQ(s.largest_residual(), 3.7e-5);
  s.certificate.insert(s.certificate.begin(), {"line 8", 8, 0, "", std::numeric_limits<double>::quiet_NaN(), 0.0});
  EXPECT_TRUE(std::isnan(s.largest_residual()));
  s.certificate.clear();
  EXPECT_EQ(s.largest_residual(), 0.0);
}

TEST(Solution, TheVerdictIsThatOfEveryConstraint) {
  Solution s = sample_solution();
  EXPECT_EQ(s.verdict(), Verdict::NotKept);
  s.certificate[2].max_relative = s.bound;
  EXPECT_EQ(s.verdict(), Verdict::Kept);
  s.certificate[0].max_relative = 2.0 * s.bound;
  EXPECT_EQ(s.verdict(), Verdict::NotKept);
  s.certificate[0].max_relative = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(s.verdict(), Verdict::NotKept);
  s.certificate.clear();
  EXPECT_EQ(s.verdict(), Verdict::Kept);
  EXPECT_TRUE(reached_end(Outcome::Success) && reached_end(Outcome::NotKept));
  EXPECT_FALSE(reached_end(Outcome::NotSatisfied) || reached_end(Outcome::StepTooSmall));
}

TEST(Solution, DenseOutputEvaluatesTheStepsPolynomials) {
  // y = t³ on [0, 2] and on [2, 3], each in powers of (t - end)/h; the series are y and y'.
  Solution s;
  s.columns = {{.name = "y"}, {.name = "der(y)"}};
  EXPECT_THROW(s.at(0.5), std::out_of_range);
  s.reached = 3.0;
  s.segments = {{0.0, 2.0, 3, {8.0, 24.0, 24.0, 8.0}}, {2.0, 3.0, 3, {27.0, 27.0, 9.0, 1.0}}};
  s.observer = [](double, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    series = {y[0], yp[0]};
  };
  for (const double t : {0.0, 0.7, 2.0, 2.25, 3.0}) {
    EXPECT_NEAR(s.at(t, "y"), t * t * t, 1e-13);
    EXPECT_NEAR(s.at(t, "der(y)"), 3.0 * t * t, 1e-13);
  }
  EXPECT_THROW(s.at(3.1), std::out_of_range);
  EXPECT_THROW(s.at(1.0, "z"), std::out_of_range);
}

TEST(Solution, BothSidesOfAnEventAreRows) {
  const Solution s = bouncing_ball();
  const std::vector<double> t = s.column("time"), h = s.column("h"), v = s.column("v"), n = s.column("bounces");
  std::size_t pairs = 0;
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    if (t[k] != t[k + 1]) continue;
    EXPECT_EQ(t[k], s.events[pairs++].time);
    EXPECT_NEAR(h[k], 0.0, 1e-14);
    EXPECT_NEAR(v[k + 1], -0.8 * v[k], 1e-13);
    EXPECT_EQ(n[k + 1], n[k] + 1.0);
  }
  EXPECT_EQ(pairs, s.events.size());
  EXPECT_EQ(s.final("bounces"), static_cast<double>(s.events.size()));
}

TEST(Solution, DenseOutputAtAnEventIsItsRightSide) {
  Solution s;
  s.columns = {{.name = "y"}};
  s.reached = 3.0;
  s.segments = {{0.0, 1.0, 1, {1.0, 1.0}}, {1.0, 3.0, 1, {5.0, -2.0}}};  // y = t up to 1, then y = 8 - t
  s.observer = [](double, std::vector<double>& y, std::vector<double>&, std::vector<double>& series) { series = y; };
  EXPECT_EQ(s.at(0.0, "y"), 0.0);
  EXPECT_EQ(s.at(std::nextafter(1.0, 0.0), "y"), std::nextafter(1.0, 0.0));
  EXPECT_EQ(s.at(1.0, "y"), 7.0);
  EXPECT_EQ(s.at(3.0, "y"), 5.0);
}

TEST(Outcome, HasDistinctWordsAndCodes) {
  std::set<std::string> words, codes;
  for (int k = 0; k <= static_cast<int>(Outcome::NotKept); ++k) {
    words.insert(to_string(static_cast<Outcome>(k)));
    const std::string code = to_code(static_cast<Outcome>(k));
    EXPECT_EQ(code.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << code;
    codes.insert(code);
  }
  EXPECT_EQ(words.size(), 12u);
  EXPECT_EQ(codes.size(), 12u);
  EXPECT_EQ(codes.count("unknown"), 0u);
}

TEST(Outcome, HasADiagnosticCodeUnlessItIsASuccess) {
  EXPECT_EQ(code_of(Outcome::Success), std::nullopt);
  std::set<Code> codes;
  for (int k = 1; k <= static_cast<int>(Outcome::NotKept); ++k)
    codes.insert(code_of(static_cast<Outcome>(k)).value_or(Code::InternalError));
  EXPECT_EQ(codes.size(), 11u);
  EXPECT_FALSE(codes.contains(Code::InternalError));
}

}  // namespace
}  // namespace driftless
