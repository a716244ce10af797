#include "driftless/solution/comparison_svg.hpp"

#include <cmath>
#include <cstdlib>
#include <set>

#include "driftless/solution/sample_comparison.hpp"
#include "driftless/solution/svg_reading.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Point {
  double x, y;
};

// Of a path of absolute coordinates: "M1,2L3,4 5,6".
std::vector<Point> points(const std::string& path) {
  std::vector<Point> found;
  for (const char* at = path.c_str() + 1; at[-1] != '\0';) {
    char* next = nullptr;
    const double x = std::strtod(at, &next), y = std::strtod(next + 1, &next);
    found.push_back({x, y});
    at = next + 1;
  }
  return found;
}

TEST(ComparisonSvg, IsWellFormedAndNamesWhatIsDrawn) {
  const std::string text = comparison_svg(sample_comparison());
  EXPECT_TRUE(is_well_formed(text));
  for (const char* name : {">dummy</text>", ">index1</text>", ">original</text>"}) EXPECT_THAT(text, HasSubstr(name));
  EXPECT_THAT(text, Not(HasSubstr("ggl")));
}

TEST(ComparisonSvg, EqualFactorsOfTheResidualHaveEqualHeights) {
  Comparison comparison = sample_comparison();
  comparison.runs[2].residual = {1e-9, 1e-6, 1e-3};
  const auto curves = paths(comparison_svg(comparison), "dl-c1 dl-d1");  // legend, drift, then the second panel
  const auto drift = points(curves[1]);
  ASSERT_EQ(drift.size(), 3u);
  EXPECT_GT(drift[0].y, drift[1].y);
  EXPECT_NEAR(drift[0].y - drift[1].y, drift[1].y - drift[2].y, 0.02);
  EXPECT_NEAR(drift[1].x - drift[0].x, drift[2].x - drift[1].x, 0.02);
}

TEST(ComparisonSvg, ResidualsOfRoundingSizeStayInThePicture) {
  const auto drift = points(paths(comparison_svg(sample_comparison()), "dl-c0")[2]);
  ASSERT_EQ(drift.size(), 3u);
  for (const Point& point : drift) EXPECT_EQ(point.y, drift[0].y);
}

TEST(ComparisonSvg, HasOneMarkerPerSuccessfulRunAndOneLinePerFormulation) {
  const std::string text = comparison_svg(sample_comparison());
  EXPECT_THAT(matches(text, "<title>([^<]*, tolerance [^<]*)</title>"),
              ElementsAre("dummy, tolerance 1e-4", "dummy, tolerance 1e-6", "index1, tolerance 1e-4",
                          "index1, tolerance 2.5e-7"));
  EXPECT_EQ(paths(text, "dl-c0").size(), 7u);        // legend and its marker, drift and its label, two markers, a line
  EXPECT_EQ(paths(text, "dl-c2 dl-d2").size(), 2u);  // it failed: legend, drift
  // More work, less error: to the right and down.
  const auto line = points(paths(text, "dl-c0").back());
  ASSERT_EQ(line.size(), 2u);
  EXPECT_GT(line[1].x, line[0].x);
  EXPECT_GT(line[1].y, line[0].y);
}

// Thirteen formulations, eight colours: no two look the same, in lines or in markers.
TEST(ComparisonSvg, EverySeriesLooksDifferent) {
  Comparison comparison = sample_comparison();
  ComparedRun run = comparison.runs[0];
  comparison.runs.clear();
  for (int k = 0; k < 13; ++k) {
    run.formulation = std::string("f").append(std::to_string(k));
    comparison.runs.push_back(run);
  }
  const std::string text = comparison_svg(comparison);
  const std::vector<std::string> lines = matches(text, "<path class=\"([^\"]*)\" d=\"M[0-9.]+,[0-9.]+h18\"");
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), 13u);
  const std::vector<std::string> markers =
      matches(text, "(<path class=\"[^\"]*\" d=\"M[0-9.]+,[0-9.]+m[^\"]*\")><title>");
  std::set<std::string> looks;
  for (const std::string& marker : markers) {
    const std::size_t at = marker.find("d=\"M"), outline = marker.find('m', at + 4);
    looks.insert(marker.substr(0, at) + marker.substr(outline));
  }
  EXPECT_EQ(looks.size(), 13u);
  EXPECT_THAT(text, HasSubstr(">f12</text>"));
}

TEST(ComparisonSvg, DrawsNoPanelWithoutContent) {
  Comparison nothing;
  nothing.model = "Empty";
  const std::string text = comparison_svg(nothing);
  EXPECT_TRUE(is_well_formed(text));
  EXPECT_THAT(text, Not(HasSubstr("<path")));
}

TEST(ComparisonSvg, ColoursAreFormulationsAndDashesMethods) {
  const std::string text = comparison_svg(sample_of_methods());
  // In the legend and in the panel of the energy; index1 failed before its first output. Markers and labels have no
  // dashes.
  EXPECT_EQ(paths(text, "\"dl-curve dl-c0").size(), 8u);
  EXPECT_EQ(paths(text, "\"dl-curve dl-c0 dl-d1").size(), 2u);
  EXPECT_EQ(paths(text, "\"dl-curve dl-c0 dl-d2").size(), 2u);
  EXPECT_EQ(paths(text, "\"dl-curve dl-c1 dl-d1").size(), 2u);
  EXPECT_THAT(text, HasSubstr("stroke-dasharray"));
}

TEST(ComparisonSvg, DrawsTheChangeOfEveryInvariantThatChanges) {
  const std::string text = comparison_svg(sample_of_methods());
  EXPECT_TRUE(is_well_formed(text));
  EXPECT_THAT(text, HasSubstr("change of energy, tolerance 1e-6"));
  EXPECT_THAT(text, Not(HasSubstr("change of momentum")));
  EXPECT_THAT(text, Not(HasSubstr("largest residual")));
  for (const char* name : {">dummy, dopri5, none</text>", ">dummy, radau3, invariants</text>"})
    EXPECT_THAT(text, HasSubstr(name));
  EXPECT_THAT(matches(text, "<title>([^<]*, step [^<]*)</title>"), ElementsAre());  // no residuals were counted
}

}  // namespace
}  // namespace driftless
