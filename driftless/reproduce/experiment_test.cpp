#include "driftless/reproduce/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driftless/reproduce/report.hpp"
#include "driftless/reproduce/shipped_model.hpp"

namespace driftless::reproduce {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> names(const Selected& selected) {
  std::vector<std::string> list;
  for (const Experiment* experiment : selected.experiments) list.push_back(experiment->name);
  return list;
}

TEST(ShippedModel, IsTheTextOfTheFile) {
  const std::filesystem::path models = DRIFTLESS_SOURCE_DIR "/models";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".mo") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(shipped_model(relative(entry.path(), models).replace_extension().string()), text.str()) << entry.path();
  }
  EXPECT_FALSE(shipped_model("no_such_model"));
}

TEST(Select, TakesNamesAndBeginnings) {
  EXPECT_EQ(select({}).experiments.size(), experiments().size());
  EXPECT_THAT(names(select({"ap4.1"})), ElementsAre("ap4.1"));
  EXPECT_THAT(names(select({"ms2", "fl"})), ElementsAre("fl1", "fl2", "fl3", "ms2"));
  EXPECT_EQ(select({"ap", "xy"}).unknown, "xy");
}

TEST(Command, IsWhatAUserWouldType) {
  EXPECT_EQ(command({.model = "pendulum",
                     .parameters = {{"vy0", 0.0}, {"L", 2.5}},
                     .formulation = "index1",
                     .method = "dopri5",
                     .projection = "velocity",
                     .tolerance = 1e-6,
                     .stop = 100.0}),
            "driftless run models/pendulum.mo --override vy0=0,L=2.5 --formulation index1 --method dopri5 "
            "--projection velocity --tol 1e-06 --stop 100");
  EXPECT_EQ(command({.model = "ascher_petzold_1", .method = "backward-euler", .step = 0.01, .pivot = PivotMode::Never}),
            "driftless run models/ascher_petzold_1.mo --method backward-euler --step 0.01 --pivot never");
}

const Setup decay{.model = "pendulum_angle", .parameters = {{"phi0", 0.1}, {"omega0", 0.0}}, .tolerance = 1e-8};
double angle(const Solution& s) { return s.final("phi"); }

TablePlan plan_with(double target, Setup setup) {
  return {.title = "A table",
          .label_heads = {"run"},
          .columns = {{"phi", angle, Within{0.01}}},
          .rows = {{{"one"}, std::move(setup), {{"", target}}}},
          .notes = {}};
}

TEST(Measure, NoticesAWrongNumber) {
  Runner runner;
  const double right = angle(runner.run(decay));
  Report good{.tables = {measure(plan_with(right, decay), runner)}},
      bad{.tables = {measure(plan_with(1.02 * right, decay), runner)}};
  EXPECT_EQ(good.score().agree, 1);
  EXPECT_EQ(good.score().differ, 0);
  EXPECT_EQ(bad.score().differ, 1);
  const Experiment experiment{"x1", "an experiment", nullptr};
  EXPECT_THAT(text_of({&experiment, good, 0.0}), HasSubstr("✓"));
  EXPECT_THAT(text_of({&experiment, bad, 0.0}), HasSubstr("✗"));
  EXPECT_THAT(markdown_of({{&experiment, bad, 0.0}}, ""), HasSubstr("✗"));
  EXPECT_THAT(summary_of({{&experiment, bad, 0.0}}), HasSubstr("1 DIFFER"));
}

TEST(Measure, SaysWhyThereIsNoNumber) {
  Runner runner;
  auto unknown = decay;
  unknown.formulation = "no-such-formulation";
  const Table table = measure(plan_with(1.0, unknown), runner);
  EXPECT_TRUE(std::isnan(*table.rows[0].cells[0].ours));
  EXPECT_EQ(verdict(table.rows[0].cells[0]), Verdict::Differs);
  EXPECT_THAT(table.rows[0].failure, HasSubstr("no-such-formulation"));
}

TEST(Statements, CountInTheScore) {
  const Report report{.statements = {{"true", true, ""}, {"false", false, ""}}};
  EXPECT_EQ(report.score().agree, 1);
  EXPECT_EQ(report.score().differ, 1);
}

TEST(Runner, StopsWhenAsked) {
  Runner runner([](const std::string&, double) { return false; });
  EXPECT_THROW(runner.run(decay), Interrupted);
}

TEST(Figures, AreCompleteDocuments) {
  const Figure figure{.name = "f",
                      .title = "A figure",
                      .columns = 2,
                      .panels = {{.title = "lines", .abscissa = "t", .curves = {{"a", {0, 1, 2}, {1, 2, 4}}}},
                                 {.title = "logarithms",
                                  .abscissa = "t",
                                  .ordinate = Scale::Logarithmic,
                                  .curves = {{"a", {0, 1, 2}, {0.0, 1e-8, 1e-3}}}}}};
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THAT(svg, HasSubstr("logarithms"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace driftless::reproduce
