#include "driftless/solution/plot_names.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;

std::vector<Column> columns() {
  std::vector<Column> all{{.name = "x"}, {.name = "der(x)", .is_derivative = true}};
  for (const char* name : {"T[1]", "der(T[1])", "T[2]", "der(T[2])", "T[3]", "der(T[3])", "T[4]", "A[1,1]", "A[1,2]",
                           "A[2,1]", "A[2,2]", "b[1].r[1]", "b[1].r[2]", "b[2].r[1]", "'T[9]'"})
    all.push_back({.name = name});
  all.push_back({.name = "L", .is_parameter = true});
  return all;
}

std::vector<std::string> ordinates(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  const auto curves = curves_of(columns(), names);
  if (const auto* problem = std::get_if<std::string>(&curves)) return {*problem};
  for (const CurveNames& curve : std::get<std::vector<CurveNames>>(curves))
    all.push_back(curve.over_time() ? curve.y : curve.x + " : " + curve.y);
  return all;
}

TEST(PlotNames, AreColumns) {
  EXPECT_THAT(ordinates({"x", "der(x)", "L", "'T[9]'"}), ElementsAre("x", "der(x)", "L", "'T[9]'"));
  EXPECT_THAT(ordinates({"x:L"}), ElementsAre("x : L"));
  EXPECT_THAT(ordinates({"time:x"}), ElementsAre("x"));
}

TEST(PlotNames, AreArraysAndPartsOfThem) {
  EXPECT_THAT(ordinates({"T"}), ElementsAre("T[1]", "T[2]", "T[3]", "T[4]"));
  EXPECT_THAT(ordinates({"T[:]"}), ElementsAre("T[1]", "T[2]", "T[3]", "T[4]"));
  EXPECT_THAT(ordinates({"T[2:3]"}), ElementsAre("T[2]", "T[3]"));
  EXPECT_THAT(ordinates({"T[1:3:4]"}), ElementsAre("T[1]", "T[4]"));
  EXPECT_THAT(ordinates({"der(T)"}), ElementsAre("der(T[1])", "der(T[2])", "der(T[3])"));
  EXPECT_THAT(ordinates({"der(T[2:3])"}), ElementsAre("der(T[2])", "der(T[3])"));
  EXPECT_THAT(ordinates({"A[2,:]"}), ElementsAre("A[2,1]", "A[2,2]"));
  EXPECT_THAT(ordinates({"A[:,1]"}), ElementsAre("A[1,1]", "A[2,1]"));
  EXPECT_THAT(ordinates({"b.r[1]"}), ElementsAre("b[1].r[1]", "b[2].r[1]"));
  EXPECT_THAT(ordinates({"b[1].r"}), ElementsAre("b[1].r[1]", "b[1].r[2]"));
  EXPECT_THAT(ordinates({"T[1:2]:T[3:4]"}), ElementsAre("T[1] : T[3]", "T[2] : T[4]"));
  EXPECT_THAT(ordinates({"x:T[1:2]"}), ElementsAre("x : T[1]", "x : T[2]"));
}

TEST(PlotNames, AreExplainedIfTheyMeanNothing) {
  EXPECT_THAT(ordinates({"T[9]"}), ElementsAre(testing::StartsWith("no variable 'T[9]'")));
  EXPECT_THAT(ordinates({"T[7:9]"}), ElementsAre(testing::StartsWith("no variable 'T[7:9]'")));
  EXPECT_THAT(ordinates({"A[1]"}), ElementsAre(testing::StartsWith("no variable 'A[1]'")));
  EXPECT_THAT(ordinates({"T:A"}).size(), 4u);
  EXPECT_THAT(ordinates({"T[1:2]:A"}), ElementsAre("'T[1:2]:A' pairs 2 columns with 4"));
  EXPECT_THAT(ordinates({"x:temperature"}), ElementsAre(testing::StartsWith("no variable 'temperature'")));
  std::vector<Column> many;
  for (int k = 1; k <= 101; ++k) many.push_back({.name = "u[" + std::to_string(k) + "]"});
  EXPECT_EQ(std::get<std::string>(curves_of(many, {"u"})),
            "101 curves are more than the 100 that a picture can have: name some elements, as in u[1:10:100]");
}

TEST(PlotNames, AreTheFirstVariablesIfNoneIsGiven) {
  EXPECT_EQ(ordinates({}).size(), 12u);
  EXPECT_EQ(ordinates({})[1], "T[1]");
}

}  // namespace
}  // namespace driftless
