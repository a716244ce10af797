#include "driftless/sweep/sweep_svg.hpp"

#include <cmath>

#include "driftless/sweep/hdf5_layout.hpp"

namespace driftless::sweep {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Plan plan_of_two() { return std::get<Plan>(Plan::make({std::get<Variation>(parse_variation("L=1,2"))}, {})); }

Row row_of(std::size_t run, double result, std::vector<double> trajectory) {
  Row row;
  row.run = run;
  row.values = {static_cast<double>(run + 1)};
  row.outcome = "success";
  row.results = {result};
  row.trajectory = std::move(trajectory);
  return row;
}

TEST(SweepPicture, HasBandsAndPoints) {
  const Plan plan = plan_of_two();
  const Followed followed{{"x"}, {0.0, 1.0, 2.0}};
  auto made = Picture::make({"x", "L:max(x)"}, plan, {{Kept::What::Largest, "max(x)", "x"}}, followed);
  ASSERT_TRUE(std::holds_alternative<Picture>(made));
  Picture picture = std::get<Picture>(std::move(made));
  picture.add(row_of(0, 3.0, {0.0, 1.0, 3.0}));
  picture.add(row_of(1, 5.0, {0.0, 2.0, std::nan("")}));  // a run that failed before its end
  const std::string svg = picture.svg("Model");
  EXPECT_THAT(svg, HasSubstr("Model: 2 runs"));
  EXPECT_THAT(svg, HasSubstr("dl-nine"));
  EXPECT_THAT(svg, HasSubstr("max(x)"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_EQ(Picture::names_over_time({"x", "L:max(x)", "y"}), (std::vector<std::string>{"x", "y"}));
}

TEST(SweepPicture, SaysWhichNameIsWrong) {
  const auto made = Picture::make({"L:max(y)"}, plan_of_two(), {{Kept::What::Largest, "max(x)", "x"}}, {});
  ASSERT_TRUE(std::holds_alternative<std::string>(made));
  EXPECT_THAT(std::get<std::string>(made), HasSubstr("'max(y)' neither varies nor is it kept"));
}

// Datasets follow each other without gaps after the head; python/tests/test_sweep_files.py reads such files by h5py.
TEST(Hdf5Layout, GivesEveryDatasetItsPlace) {
  const std::vector<Hdf5Dataset> datasets{{Hdf5Dataset::Type::Number, "b", {3, 2}},
                                          {Hdf5Dataset::Type::Text, "a", {3}, 5},
                                          {Hdf5Dataset::Type::Integer, "c", {1}}};
  const Hdf5Layout layout = hdf5_layout(datasets, {{"model", "M"}});
  ASSERT_EQ(layout.places.size(), 3u);
  EXPECT_EQ(layout.places[0], layout.head.size());
  EXPECT_EQ(layout.places[1], layout.places[0] + 48);
  EXPECT_EQ(layout.places[2], layout.places[1] + 16);  // 15 bytes, and one to the next multiple of 8
  EXPECT_EQ(layout.size, layout.places[2] + 8);
  EXPECT_EQ(layout.head.substr(1, 3), "HDF");
}

}  // namespace
}  // namespace driftless::sweep
