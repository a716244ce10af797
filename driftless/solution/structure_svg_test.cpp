#include "driftless/solution/structure_svg.hpp"

#include <algorithm>

#include "driftless/solution/svg_reading.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The pendulum in Cartesian coordinates: x'' = -λx, y'' = -λy - g, x² + y² = L².
StructurePicture pendulum() {
  return {.title = "Pendulum",
          .row_labels = {"x''", "y''", "length"},
          .column_labels = {"x", "y", "lambda"},
          .entries = {{0, 0, 2, true}, {0, 2, 0}, {1, 1, 2}, {1, 2, 0, true}, {2, 0, 0}, {2, 1, 0, true}},
          .row_order = {},
          .block_sizes = {3},
          .differentiations = {0, 0, 2},
          .highest_derivatives = {2, 2, 0},
          .theme = Theme::Light};
}

TEST(StructureSvg, ShowsLabelsOrdersAndDifferentiations) {
  const std::string svg = structure_svg(pendulum());
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_THAT(svg, HasSubstr("3 equations, 1 block, the largest of size 3"));
  EXPECT_THAT(matches(svg, "class=\"dl-digit dl-on[0-4]\"[^>]*>([0-9])<"), ElementsAre("2", "0", "2", "0", "0", "0"));
  EXPECT_THAT(matches(svg, "text-anchor=\"start\" transform=[^>]*>([a-z]+)<"), ElementsAre("x", "lambda", "y"))
      << "the columns follow the transversal";
  EXPECT_THAT(matches(svg, "class=\"dl-faint\"[^>]*>(d[^<]*dt[^<]*)<"), ElementsAre("d²/dt²"));
  EXPECT_EQ(matches(svg, "(<rect class=\"dl-s2\")").size(), 3u) << "two entries of the length, one in the legend";
  EXPECT_THAT(svg, Not(HasSubstr("dl-s0 dl-loose"))) << "all entries belong to the system Jacobian";
}

TEST(StructureSvg, EntriesOutsideTheSystemJacobianAreFaint) {
  StructurePicture picture = pendulum();
  picture.entries.push_back({0, 1, 1});
  EXPECT_EQ(matches(structure_svg(picture), "(class=\"dl-s0 dl-loose\")").size(), 1u);
  picture.highest_derivatives.clear();
  EXPECT_EQ(matches(structure_svg(picture), "(class=\"dl-s0 dl-loose\")").size(), 0u);
}

TEST(StructureSvg, RowsFollowTheirOrder) {
  StructurePicture picture = pendulum();
  picture.row_order = {2, 0, 1};
  EXPECT_THAT(matches(structure_svg(picture), "class=\"dl-text\"[^>]*text-anchor=\"end\">([a-z]+)"),
              ElementsAre("length", "x", "y"));
}

TEST(StructureSvg, LargeModelsAreSeenFromAfar) {
  for (const int n : {61, 720, 5000}) {
    StructurePicture picture;
    const auto size = static_cast<std::size_t>(n);
    picture.title = "Chain";
    picture.row_labels.assign(size, "equation");
    picture.column_labels.assign(size, "variable");
    picture.differentiations.assign(size, 0);
    picture.differentiations[0] = 7;
    for (int k = 0; k < n; ++k) {
      picture.entries.push_back({k, k, 0, true});
      if (k > 0) picture.entries.push_back({k, k - 1, 0});
    }
    picture.block_sizes.assign(size / 2, 1);
    picture.block_sizes.push_back(n - n / 2);
    const std::string svg = structure_svg(picture);
    EXPECT_LT(svg.size(), 50'000u);
    EXPECT_THAT(svg, Not(HasSubstr("variable")));
    EXPECT_EQ(matches(svg, "(<rect class=\"dl-block\")").size(), 1u) << "single equations have no frame";
    // One run per row of the raster: the diagonal and its left neighbour; the first equation has its own colour.
    const std::size_t rows = std::min(size, std::size_t{720});
    const std::string path = paths(svg, "dl-s0").at(0);
    EXPECT_EQ(static_cast<std::size_t>(std::count(path.begin(), path.end(), 'M')), rows - 1);
    EXPECT_EQ(paths(svg, "dl-s4").size(), 1u);
  }
}

TEST(StructureSvg, AModelWithoutEquationsIsDrawnToo) {
  StructurePicture empty;
  empty.title = "Nothing";
  EXPECT_THAT(structure_svg(empty), HasSubstr("0 equations"));
}

}  // namespace
}  // namespace driftless
