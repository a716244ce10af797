#include "driftless/solution/plot_picture.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/svg.hpp"
#include "driftless/solution/svg_reading.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Solution wave(double frequency, double stop = 10.0, std::vector<std::string> names = {"x", "y"}) {
  Solution s;
  for (std::string& name : names) s.columns.push_back({.name = std::move(name)});
  for (int k = 0; k <= 100; ++k) {
    s.times.push_back(stop * k / 100);
    for (std::size_t j = 0; j < names.size(); ++j)
      s.values.push_back(std::sin(frequency * s.times.back() + static_cast<double>(j)));
  }
  return s;
}

std::vector<std::string> legend_of(const std::string& svg) {
  return matches(svg, "class=\"dl-text\" [^>]*text-anchor=\"start\">([^<]*)</text>");
}

// Classes of curves over time or in the phase plane, without samples of the legend.
std::vector<std::string> styles_of(const std::string& svg) {
  return matches(svg, "class=\"(dl-curve[^\"]*)\" d=\"M[0-9.]+,[0-9.]+L");
}

TEST(PlotPicture, OneRunIsWithoutLabel) {
  const Solution s = wave(1);
  const std::string svg = to_svg(plot_picture(std::vector<PlottedRun>{{"a", &s}}, {"x"}));
  EXPECT_EQ(svg, to_svg(plot_picture(s, {"x"})));
  EXPECT_THAT(legend_of(svg), ElementsAre("x"));
}

TEST(PlotPicture, ASingleVariableHasColoursAndDashesForRuns) {
  const Solution a = wave(1), b = wave(1.1);
  const std::string svg = to_svg(plot_picture({{"slow", &a}, {"fast", &b}}, {"x"}));
  EXPECT_THAT(legend_of(svg), ElementsAre("x (slow)", "x (fast)"));
  EXPECT_THAT(styles_of(svg), ElementsAre("dl-curve dl-c0", "dl-curve dl-c1 dl-d1"));
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(PlotPicture, SeveralVariablesHaveColoursAndRunsDashes) {
  const Solution a = wave(1), b = wave(1.1);
  const std::string svg = to_svg(plot_picture({{"a", &a}, {"b", &b}}, {"x", "y"}));
  EXPECT_THAT(legend_of(svg), ElementsAre("x (a)", "x (b)", "y (a)", "y (b)"));
  EXPECT_THAT(styles_of(svg),
              ElementsAre("dl-curve dl-c0", "dl-curve dl-c0 dl-d1", "dl-curve dl-c1", "dl-curve dl-c1 dl-d1"));
}

// With more runs than dashes every variable has a panel of its own, and the runs have colours.
TEST(PlotPicture, ManyRunsKeepVariablesApart) {
  std::vector<Solution> solutions;
  for (int k = 0; k < 9; ++k) solutions.push_back(wave(1 + 0.1 * k));
  std::vector<PlottedRun> runs;
  for (const Solution& s : solutions) runs.push_back({"run", &s});
  const std::string svg = to_svg(plot_picture(runs, {"x", "y"}));
  std::vector<std::string> styles = styles_of(svg);
  ASSERT_EQ(styles.size(), 18u);
  styles.resize(9);
  EXPECT_EQ(std::set<std::string>(styles.begin(), styles.end()).size(), 9u) << "nine different styles";
}

TEST(PlotPicture, TheTimeAxisHoldsTheLongestRun) {
  const Solution a = wave(1, 2.0), b = wave(1, 10.0);
  const std::string svg = to_svg(plot_picture({{"a", &a}, {"b", &b}}, {"x"}));
  EXPECT_THAT(svg, HasSubstr(">10</text>"));
  const std::vector<std::string> paths = matches(svg, "class=\"dl-curve dl-c0\" d=\"(M[^\"]{0,4000})\"");
  double right = 0.0;
  for (const std::string& x : matches(paths.back(), "([0-9.]+),")) right = std::max(right, std::stod(x));
  EXPECT_NEAR(right, 64 + (860 - 64 - 28) * 0.2, 1.0);
}

TEST(PlotPicture, JumpsOfEveryRunAreShown) {
  const Solution ball = bouncing_ball();
  Solution smooth = ball;
  smooth.events.clear();
  smooth.times.clear(), smooth.values.clear();
  for (int k = 0; k < 10; ++k) {
    smooth.times.push_back(0.1 * k);
    smooth.values.insert(smooth.values.end(), smooth.series(), 0.01 * k);
  }
  const std::string svg = to_svg(plot_picture({{"smooth", &smooth}, {"ball", &ball}}, {"v"}));
  EXPECT_EQ(paths(svg, "dl-curve dl-c1 dl-jump").size(), 1u);
  EXPECT_TRUE(paths(svg, "dl-curve dl-c0 dl-jump").empty());
  EXPECT_EQ(matches(svg, "class=\"(dl-event)\"").size(), ball.events.size() + 1) << "and the legend";
}

TEST(PlotPicture, PhasePlanesShareOnePanel) {
  const Solution a = wave(1), b = wave(1.1);
  const std::string svg = to_svg(plot_picture({{"a", &a}, {"b", &b}}, {"x:y"}));
  EXPECT_THAT(legend_of(svg), ElementsAre("y (a)", "y (b)", "y"));
  EXPECT_EQ(styles_of(svg).size(), 2u);
}

TEST(PlotPicture, EveryRunMustHaveTheVariable) {
  const Solution a = wave(1), b = wave(1, 10.0, {"x", "z"}), c = wave(1, 10.0, {"w"});
  try {
    plot_picture({{"a", &a}, {"b", &b}}, {"y"});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("b: no variable 'y'"));
  }
  EXPECT_THAT(legend_of(to_svg(plot_picture({{"a", &a}, {"b", &b}}, {}))), ElementsAre("x (a)", "x (b)"));
  EXPECT_THROW(plot_picture({{"a", &a}, {"c", &c}}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace driftless
