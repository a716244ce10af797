#include "driftless/solution/write_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

TEST(WriteJson, HasExactlyTheseKeysInThisOrder) {
  Solution s = sample_solution();
  s.certificate.resize(1);
  s.invariants = {{"energy", 9, 0.5, 1e-7, 3.0, -1e-8}};
  s.remarks = {"a remark"};
  EXPECT_EQ(Json::parse(to_json(s)).dump(),
            R"({"model":"Pendulum","outcome":"success","code":null,"message":"",)"
            R"("time":{"start":0.0,"stop":10.0,"reached":10.0},)"
            R"("structure":{"equations":3,"unknowns":3,"structural_index":3,"degrees_of_freedom":2,)"
            R"("differentiations":{"line 5":0,"line 6":0,"line 7":2}},)"
            R"("formulation":"dummy","method":"bdf","projection":"","tolerance":1e-06,"step":null,)"
            R"("statistics":{"steps":812,"rejected_steps":12,"residual_evaluations":1830,)"
            R"("jacobian_evaluations":41,"factorizations":53,"pivots":4,"evaluation":"compiled","condition":null,)"
            R"("seconds":{"parse":0.001,"analyze":0.0004,"compile":0.012,"initialize":0.0003,"integrate":0.007}},)"
            R"("verdict":"kept","bound":1e-06,)"
            R"("certificate":[{"constraint":"line 7","line":7,"level":0,"max_residual":1.25e-13,"max_relative":6e-14,)"
            R"("imposed":true,"kept":true}],)"
            R"("invariants":[{"name":"energy","line":9,"start":0.5,"max_deviation":1e-07,"final_deviation":-1e-08}],)"
            R"json("final":{"x":-1.0,"der(x)":1e-20},"details":[],"remarks":["a remark"]})json");
}

TEST(WriteJson, HasMeshAndConditionsOfABoundaryValueProblem) {
  Solution s = sample_solution();
  EXPECT_FALSE(Json::parse(to_json(s)).contains("boundary"));
  s.boundary = BoundarySummary{.intervals = 40,
                               .meshes = 3,
                               .newton_iterations = 7,
                               .error = 1.5e-9,
                               .conditions = {{"line 9: v = 0", true, 0.5}}};
  EXPECT_EQ(Json::parse(to_json(s))["boundary"].dump(),
            R"({"mesh_intervals":40,"meshes":3,"newton_iterations":7,"error":1.5e-09,"defect":null,)"
            R"("conditions":[{"text":"line 9: v = 0","at":"stop","residual":0.5}]})");
}

TEST(WriteJson, HasEventsWithAllTheirFields) {
  EXPECT_FALSE(Json::parse(to_json(sample_solution())).contains("events")) << "the model has none";
  Solution s = bouncing_ball(0.9);
  ASSERT_EQ(s.events.size(), 1u);
  Event& event = s.events[0];
  event.time = 0.5;
  event.discrete.resize(3);
  event.jumps = {{"v", -4.5, 3.5}};
  event.impulses = {{"F", 2.25, "N.s"}};
  event.mode = "line 7: contact";
  s.statistics.events = 17;
  s.statistics.modes = 2;
  s.statistics.events_by_cause = {{"h < 0", 16}, {"sample(0, 0.1)", 2}};
  s.statistics.event_iterations = 40;
  const Json json = Json::parse(to_json(s));
  EXPECT_EQ(json["events"].dump(),
            R"json({"number":17,"iterations":40,"modes":2,"causes":{"h < 0":16,"sample(0, 0.1)":2},)json"
            R"("discrete":{"bounces":{"type":"Integer"},"loud":{"type":"Boolean"},)"
            R"("kind":{"type":"enumeration","literals":["drop","high","low"]},"energy":{"type":"Real"}},)"
            R"("list":[{"time":0.5,"causes":["h < 0"],"iterations":2,)"
            R"("discrete":[{"name":"bounces","from":0,"to":1},{"name":"loud","from":0,"to":1},)"
            R"({"name":"kind","from":1,"to":2}],)"
            R"("jumps":[{"name":"v","from":-4.5,"to":3.5}],)"
            R"("impulses":[{"name":"F","size":2.25,"unit":"N.s"}],"mode":"line 7: contact"}]})");
  EXPECT_EQ(json["final"]["bounces"].dump(), "1");
  EXPECT_EQ(json["final"]["loud"].dump(), "1");
  EXPECT_TRUE(json["final"]["energy"].is_number_float());
}

TEST(WriteJson, ListsOnlyDifferentiatedEquationsOfLargeModels) {
  Solution s = sample_solution();
  s.structure.differentiations.clear();
  for (int k = 0; k < 1000; ++k) s.structure.differentiations.push_back({"line " + std::to_string(k), k % 500 == 3});
  EXPECT_EQ(Json::parse(to_json(s))["structure"]["differentiations"].dump(), R"({"line 3":1,"line 503":1})");
}

TEST(WriteJson, TurnsWhatIsNotFiniteIntoNullAndSaysSo) {
  Solution s = sample_solution();
  s.outcome = Outcome::EvaluationFailed;
  s.code = Code::Pole;
  s.message = "log of a negative number";
  s.details = {"line 5"};
  s.values[4] = std::numeric_limits<double>::quiet_NaN();
  s.certificate[2].max_residual = std::numeric_limits<double>::infinity();
  const Json json = Json::parse(to_json(s));
  EXPECT_EQ(json["outcome"], "evaluation_failed");
  EXPECT_EQ(json["code"], "D0702");
  EXPECT_EQ(json["message"], "log of a negative number; not finite and therefore null: the residual of line 7, x");
  EXPECT_TRUE(json["final"]["x"].is_null());
  EXPECT_EQ(json["final"]["der(x)"], 1e-20);
  EXPECT_TRUE(json["certificate"][2]["max_residual"].is_null());
  EXPECT_EQ(json["verdict"], "not_kept");
  EXPECT_EQ(json["certificate"][2]["kept"], false);
  EXPECT_EQ(json["details"][0], "line 5");
}

TEST(WriteJson, NamesAFewOfManyLostValues) {
  Solution s;
  s.times = {0.0};
  for (int k = 0; k < 9; ++k) {
    s.columns.push_back({.name = std::string("x").append(std::to_string(k))});
    s.values.push_back(std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(Json::parse(to_json(s))["message"], "not finite and therefore null: x0, x1, x2, x3, x4 and 4 more");
}

TEST(WriteJson, WithoutPointsHasNoFinalValues) {
  Solution s = sample_solution();
  s.outcome = Outcome::InitializationFailed;
  s.times.clear();
  s.values.clear();
  EXPECT_EQ(Json::parse(to_json(s))["final"], Json::object());
}

TEST(WriteJson, SurvivesTextThatIsNotUtf8) {
  Solution s = sample_solution();
  s.message = "\xff";
  EXPECT_EQ(Json::parse(to_json(s))["message"], "\uFFFD");
}

TEST(WriteJson, WritesTheFile) {
  const ScratchFile scratch("x.json");
  EXPECT_EQ(write_json(sample_solution(), scratch.path()), std::nullopt);
  EXPECT_EQ(scratch.text(), to_json(sample_solution()));
}

TEST(WriteJson, UsesNoKeyTwice) {
  Solution s = sample_solution();
  s.columns[0].name = s.columns[1].name = "der(x)";
  s.structure.differentiations = {{"rod", 0}, {"rod", 2}, {"rod", 1}};
  const std::string text = to_json(s);
  EXPECT_NE(text.find("\"der(x) (2)\""), std::string::npos);
  EXPECT_NE(text.find("\"rod (3)\": 1"), std::string::npos);
}

}  // namespace
}  // namespace driftless
