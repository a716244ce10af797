#include "driftless/solution/plot_svg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/svg_reading.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

// Columns made of functions of time at `points` equidistant times in [0, 10].
Solution solution_of(std::vector<Column> columns, std::vector<double (*)(double)> functions, std::size_t points = 101) {
  Solution s;
  s.model = "Test <1>";
  s.columns = std::move(columns);
  for (std::size_t k = 0; k < points; ++k) {
    s.times.push_back(10.0 * static_cast<double>(k) / static_cast<double>(points - 1));
    for (const auto f : functions) s.values.push_back(f(s.times.back()));
  }
  s.stop = s.reached = 10.0;
  return s;
}

double sine(double t) { return std::sin(t); }
double cosine(double t) { return std::cos(t); }
double tiny(double t) { return 1e-9 * std::sin(t); }
double one(double) { return 1.0; }
double with_hole(double t) { return t > 4.0 && t < 6.0 ? std::numeric_limits<double>::quiet_NaN() : t; }
double huge(double t) { return t > 5.0 ? 1.7e308 : -1.7e308; }

std::vector<std::string> curves(const std::string& svg) {
  std::vector<std::string> all;
  for (const char colour : {'0', '1', '2', '3', '4', '5', '6', '7'}) {
    for (const std::string& path : paths(svg, std::string("dl-curve dl-c") + colour)) {
      if (!path.ends_with("h18")) all.push_back(path);  // otherwise a sample in the legend
    }
  }
  return all;
}

// Every panel has one horizontal frame line along its bottom.
std::size_t panels(const std::string& svg) {
  return matches(svg, "class=\"dl-frame\" x1=\"64\" y1=\"([0-9.]+)\" x2=\"[0-9.]+\" y2=\"\\1\"").size();
}

TEST(PlotSvg, CurvesOfOneKindShareAPanel) {
  const Solution s = solution_of({{.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}}, {sine, cosine});
  const std::string svg = plot_svg(s, {"x", "y"});
  EXPECT_EQ(panels(svg), 1u);
  EXPECT_EQ(curves(svg).size(), 2u);
  EXPECT_THAT(svg, HasSubstr(">Test &lt;1&gt;</text>"));
  EXPECT_THAT(svg, HasSubstr(">[m]</text>"));
  EXPECT_THAT(svg, HasSubstr(">time [s]</text>"));
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(plot_svg(s, {}), svg) << "no names: the variables of the model";
  EXPECT_EQ(plot_svg(s, {"x", "y"}), svg) << "deterministic";
}

TEST(PlotSvg, OtherUnitsAndMagnitudesGetPanelsOfTheirOwn) {
  const Solution s = solution_of(
      {{.name = "x", .unit = "m"}, {.name = "T", .unit = "K"}, {.name = "e", .unit = "m"}, {.name = "L", .unit = "m"}},
      {sine, cosine, tiny, one});
  EXPECT_EQ(panels(plot_svg(s, {"x", "T"})), 2u);
  EXPECT_EQ(panels(plot_svg(s, {"x", "e"})), 2u);
  EXPECT_EQ(panels(plot_svg(s, {"x", "L"})), 1u) << "a constant of the same size disturbs nobody";
  EXPECT_THAT(plot_svg(s, {"e"}), HasSubstr("[m]  ×10⁻⁹"));
}

TEST(PlotSvg, APanelHoldsEightCurves) {
  std::vector<Column> columns;
  for (int k = 0; k < 20; ++k) columns.push_back({.name = std::string("x").append(std::to_string(k))});
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  const std::string svg = plot_svg(solution_of(columns, std::vector<double (*)(double)>(20, sine)), names);
  EXPECT_EQ(panels(svg), 3u);
  EXPECT_EQ(curves(svg).size(), 20u);
}

TEST(PlotSvg, PlotsOneVariableOverAnother) {
  const Solution s = solution_of({{.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}}, {cosine, sine}, 2001);
  const std::string svg = plot_svg(s, {"x:y"});
  ASSERT_EQ(curves(svg).size(), 1u);
  EXPECT_THAT(svg, HasSubstr(">x [m]</text>"));
  EXPECT_THAT(svg, HasSubstr(">y [m]</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("time")));

  // Drawn true to scale, a circle stays one: all points have the same distance from the middle.
  std::vector<double> x, y;
  for (const std::string& pair : matches(curves(svg)[0], "([0-9.]+,[0-9.]+)")) {
    x.push_back(std::stod(pair));
    y.push_back(std::stod(pair.substr(pair.find(',') + 1)));
  }
  const auto [left, right] = std::minmax_element(x.begin(), x.end());
  const auto [top, bottom] = std::minmax_element(y.begin(), y.end());
  EXPECT_NEAR(*right - *left, *bottom - *top, 0.5);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(std::hypot(x[k] - (*left + *right) / 2, y[k] - (*top + *bottom) / 2), (*right - *left) / 2, 0.5);
  }
}

TEST(PlotSvg, ANameMayContainAColon) {
  const Solution s = solution_of({{.name = "'a:b'"}, {.name = "c"}}, {sine, cosine});
  EXPECT_THAT(plot_svg(s, {"'a:b'"}), HasSubstr("time [s]"));
  EXPECT_THAT(plot_svg(s, {"'a:b':c"}), Not(HasSubstr("time [s]")));
}

TEST(PlotSvg, LeavesGapsWhereThereIsNoValue) {
  const Solution s = solution_of({{.name = "x"}, {.name = "h"}}, {with_hole, huge});
  const std::string path = curves(plot_svg(s, {"x"}))[0];
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  for (const std::string word : {"nan", "inf"}) EXPECT_THAT(plot_svg(s, {"x", "h"}), Not(HasSubstr(word)));
}

// The curve spans the whole height of the panel although the difference of the two values overflows.
TEST(PlotSvg, DrawsTheLargestNumbers) {
  const Solution s = solution_of({{.name = "x"}, {.name = "h"}}, {sine, huge});
  const std::string svg = plot_svg(s, {"h"});
  std::vector<double> y;
  for (const std::string& pair : matches(curves(svg)[0], "([0-9.]+,[0-9.]+)"))
    y.push_back(std::stod(pair.substr(pair.find(',') + 1)));
  ASSERT_GE(y.size(), 2u);
  EXPECT_NEAR(*std::max_element(y.begin(), y.end()) - *std::min_element(y.begin(), y.end()), 300.0 / 1.1, 1.0);
  EXPECT_THAT(svg, HasSubstr("×10³⁰⁸"));
  EXPECT_EQ(panels(plot_svg(s, {"x", "h"})), 2u);
}

TEST(PlotSvg, AMillionPointsMakeASmallFile) {
  const Solution s = solution_of({{.name = "x"}, {.name = "y"}}, {sine, cosine}, 1'000'000);
  EXPECT_LT(plot_svg(s, {"x", "y", "x:y"}).size(), 150'000u);
}

TEST(PlotSvg, MarksPivots) {
  Solution s = solution_of({{.name = "x"}}, {sine});
  s.pivots = {{2.5, "x", "y", 3.0}, {7.5, "y", "x", 3.0}, {7.5001, "x", "y", 3.0}, {11.0, "x", "y", 3.0}};
  const std::string svg = plot_svg(s, {"x"});
  EXPECT_EQ(matches(svg, "class=\"(dl-pivot)\"").size(), 2u) << "one mark where two cannot be told apart, none outside";
  EXPECT_THAT(svg, HasSubstr("<title>t = 2.5: y instead of x</title>"));
  EXPECT_THAT(plot_svg(s, {"x"}, {.pivots = false}), Not(HasSubstr("class=\"dl-pivot\"")));
}

// The coordinates of a path, piece by piece.
struct Vertex {
  double x, y;
};
std::vector<std::vector<Vertex>> pieces(const std::string& path) {
  std::vector<std::vector<Vertex>> all;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('M', at + 1), path.size());
    const std::string piece = path.substr(at, end - at);
    at = end;
    all.emplace_back();
    for (const std::string& pair : matches(piece, "(-?[0-9.]+,-?[0-9.]+)"))
      all.back().push_back({std::stod(pair), std::stod(pair.substr(pair.find(',') + 1))});
  }
  return all;
}

TEST(PlotSvg, ADiscreteVariableIsAStaircase) {
  const Solution s = bouncing_ball();
  const auto staircase = pieces(curves(plot_svg(s, {"bounces"}))[0]);
  ASSERT_EQ(staircase.size(), 1u) << "one line without gaps";
  std::size_t steps = 0;
  for (std::size_t k = 1; k < staircase[0].size(); ++k) {
    const Vertex &a = staircase[0][k - 1], &b = staircase[0][k];
    EXPECT_TRUE(a.x == b.x || a.y == b.y) << "neither level nor upright at x = " << b.x;
    steps += a.y > b.y;
  }
  EXPECT_EQ(steps, s.events.size());
}

TEST(PlotSvg, AJumpIsADashedLineBetweenTwoPieces) {
  const Solution s = bouncing_ball();
  const std::string svg = plot_svg(s, {"v"});
  EXPECT_EQ(pieces(curves(svg)[0]).size(), s.events.size() + 1);
  const std::vector<std::string> jumps = paths(svg, "dl-curve dl-c0 dl-jump");
  ASSERT_EQ(jumps.size(), 1u);
  ASSERT_EQ(pieces(jumps[0]).size(), s.events.size());
  for (const auto& jump : pieces(jumps[0])) {
    ASSERT_EQ(jump.size(), 2u);
    EXPECT_EQ(jump[0].x, jump[1].x);
    EXPECT_GT(jump[0].y, jump[1].y) << "upwards";
  }
  EXPECT_THAT(svg, HasSubstr(".dl-jump{stroke-dasharray"));
  const std::string height = plot_svg(s, {"h"});
  EXPECT_EQ(pieces(curves(height)[0]).size(), 1u) << "continuous: no gap";
  EXPECT_TRUE(paths(height, "dl-curve dl-c0 dl-jump").empty());
}

TEST(PlotSvg, JumpsThatCannotBeToldApartStayJoined) {
  Solution s = solution_of({{.name = "u"}}, {sine}, 2);
  s.times.clear(), s.values.clear();
  for (int k = 0; k < 20'000; ++k)
    for (const int side : {0, 1}) s.times.push_back(0.5e-3 * k), s.values.push_back((k + side) % 2);
  const std::string svg = plot_svg(s, {"u"});
  EXPECT_EQ(pieces(curves(svg)[0]).size(), 1u);
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_EQ(matches(svg, "class=\"(dl-event)\"").size(), 2u) << "one bar, and its legend";
  EXPECT_THAT(svg, HasSubstr("<title>20000 events, t = 0 … 9.9995</title>"));
}

TEST(PlotSvg, JumpsInThePhasePlaneAreDashedToo) {
  const Solution s = bouncing_ball();
  const std::string svg = plot_svg(s, {"h:v"});
  EXPECT_EQ(pieces(curves(svg)[0]).size(), s.events.size() + 1);
  ASSERT_EQ(paths(svg, "dl-curve dl-c0 dl-jump").size(), 1u);
  EXPECT_EQ(pieces(paths(svg, "dl-curve dl-c0 dl-jump")[0]).size(), s.events.size());
}

TEST(PlotSvg, MarksEventsWithWhatHappened) {
  Solution s = bouncing_ball();
  const std::string svg = plot_svg(s, {"h"});
  EXPECT_EQ(matches(svg, "class=\"(dl-event)\"").size(), s.events.size() + 1) << "and the legend";
  EXPECT_THAT(svg, HasSubstr("<title>t = 0.451524: h &lt; 0; bounces: 0 -&gt; 1; loud: false -&gt; true; "
                             "kind: drop -&gt; high; energy: 9.81 -&gt; 6.2784; v: -4.42945 -&gt; 3.54356</title>"));
  EXPECT_TRUE(is_well_formed(svg));
  s.events.resize(1);  // the solution keeps the first ones only
  EXPECT_EQ(matches(plot_svg(s, {"h"}), "class=\"(dl-event)\"").size(), s.statistics.events + 1u);
  EXPECT_THAT(plot_svg(solution_of({{.name = "x"}}, {sine}), {"x"}), Not(HasSubstr("dl-event")));
}

TEST(PlotSvg, BooleansHaveLanesAndEnumerationsTheirLiterals) {
  Solution s = bouncing_ball();
  s.columns[2].discrete = Column::Discrete::Boolean;
  for (std::size_t row = 0; row < s.times.size(); ++row)
    s.values[row * s.series() + 2] = std::min(1.0, s.values[row * s.series() + 2]);
  const std::string svg = plot_svg(s, {"loud", "bounces", "kind"});
  EXPECT_EQ(panels(svg), 2u);
  EXPECT_EQ(matches(svg, ">(true|false)</text>").size(), 4u) << "two lanes";
  for (const std::string literal : {"drop", "high", "low"}) EXPECT_THAT(svg, HasSubstr(">" + literal + "</text>"));
  // The lanes do not touch: the highest point of the second is below the lowest of the first.
  const auto extent = [&](std::size_t k) {
    const auto lane = pieces(curves(svg)[k])[0];
    const auto [top, bottom] = std::ranges::minmax_element(lane, {}, &Vertex::y);
    return std::pair(top->y, bottom->y);
  };
  ASSERT_EQ(curves(svg).size(), 3u);  // by colour: loud, kind, bounces
  EXPECT_LT(extent(0).second, extent(2).first);
}

TEST(PlotSvg, IntegersHaveNoTicksBetweenThem) {
  Solution s = bouncing_ball();
  for (std::size_t row = 0; row < s.times.size(); ++row)
    s.values[row * s.series() + 2] = std::min(1.0, s.values[row * s.series() + 2]);
  const std::string svg = plot_svg(s, {"bounces"});
  const std::vector<std::string> labels = matches(svg, "text-anchor=\"end\">([^<]*)</text>");
  EXPECT_THAT(labels, testing::ElementsAre("0", "1", "event"));
}

TEST(PlotSvg, RefusesUnknownNames) {
  const Solution s = solution_of({{.name = "body.x"}, {.name = "c"}}, {sine, cosine});
  EXPECT_EQ(plot_problem(s, {"body.x", "c:body.x", "time"}), std::nullopt);
  EXPECT_EQ(plot_problem(s, {"bdy.x"}), "no variable 'bdy.x': did you mean 'body.x'?");
  EXPECT_EQ(plot_problem(s, {"c:temperature"}), "no variable 'temperature': there are body.x, c");
  EXPECT_THROW(plot_svg(s, {"z"}), std::invalid_argument);
}

TEST(PlotSvg, OfAnEmptySolutionIsAnEmptyFrame) {
  Solution s;
  s.columns = {{.name = "x"}};
  const std::string svg = plot_svg(s, {"x", "x:x"});
  EXPECT_EQ(panels(svg), 2u);
  for (const std::string& curve : curves(svg)) EXPECT_EQ(curve, "");
}

}  // namespace
}  // namespace driftless
