#include "driftless/solution/comparison_json.hpp"

#include <nlohmann/json.hpp>

#include "driftless/solution/sample_comparison.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(ComparisonJson, ReadsBack) {
  const auto json = nlohmann::json::parse(to_json(sample_comparison()));
  EXPECT_EQ(json["model"], "Pendulum");
  EXPECT_EQ(json["reference"]["tolerance"], 2.5e-10);
  ASSERT_EQ(json["runs"].size(), 7u);
  const auto& index1 = json["runs"][3];
  EXPECT_EQ(index1["formulation"], "index1");
  EXPECT_EQ(index1["tolerance"], 2.5e-7);
  EXPECT_EQ(index1["outcome"], "success");
  EXPECT_TRUE(index1["code"].is_null());
  EXPECT_EQ(index1["steps"], 314);
  EXPECT_EQ(index1["error"], 2e-6);
  EXPECT_EQ(index1["drift"], nlohmann::json({2e-5, 1.3e-5, 5.4e-7}));
}

TEST(ComparisonJson, KeepsWhatFailedAndWhatDoesNotApply) {
  const auto json = nlohmann::json::parse(to_json(sample_comparison()));
  EXPECT_EQ(json["runs"][4]["outcome"], "step_too_small");
  EXPECT_EQ(json["runs"][4]["code"], "D0703");
  EXPECT_EQ(json["runs"][4]["reached"], 0.25);
  EXPECT_TRUE(json["runs"][4]["error"].is_null());
  EXPECT_EQ(json["runs"][5]["not_applicable"], "there is nothing to stabilize");
  EXPECT_FALSE(json["runs"][5].contains("outcome"));
}

TEST(ComparisonJson, TellsMethodsStepsAndInvariants) {
  const auto json = nlohmann::json::parse(to_json(sample_of_methods()));
  EXPECT_EQ(json["reference"], nlohmann::json({{"file", "exact.csv"}}));
  const auto& radau = json["runs"][2];
  EXPECT_EQ(radau["method"], "radau3");
  EXPECT_EQ(radau["projection"], "invariants");
  EXPECT_EQ(radau["step"], 0.1);
  EXPECT_TRUE(radau["tolerance"].is_null());
  EXPECT_EQ(radau["condition"], 1e5);
  EXPECT_EQ(radau["invariants"], nlohmann::json({{"energy", 2e-3}, {"momentum", 0.0}}));
  EXPECT_TRUE(json["runs"][0]["condition"].is_null());
  EXPECT_TRUE(json["runs"][0]["step"].is_null());
  EXPECT_EQ(json["runs"][3]["method"], "rattle");
  EXPECT_EQ(json["runs"][4]["message"], "the run was interrupted");
}

}  // namespace
}  // namespace driftless
