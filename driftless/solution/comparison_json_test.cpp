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
  EXPECT_EQ(index1["steps"], 314);
  EXPECT_EQ(index1["error"], 2e-6);
  EXPECT_EQ(index1["drift"], nlohmann::json({2e-5, 1.3e-5, 5.4e-7}));
}

TEST(ComparisonJson, KeepsWhatFailedAndWhatDoesNotApply) {
  const auto json = nlohmann::json::parse(to_json(sample_comparison()));
  EXPECT_EQ(json["runs"][4]["outcome"], "step_too_small");
  EXPECT_EQ(json["runs"][4]["reached"], 0.25);
  EXPECT_TRUE(json["runs"][4]["error"].is_null());
  EXPECT_EQ(json["runs"][5]["not_applicable"], "there is nothing to stabilize");
  EXPECT_FALSE(json["runs"][5].contains("outcome"));
}

}  // namespace
}  // namespace driftless
