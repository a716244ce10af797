#include "driftless/scoreboard/scoreboard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "driftless/model/builder.hpp"
#include "driftless/reproduce/shipped_model.hpp"
#include "driftless/scoreboard/scoreboard_json.hpp"
#include "driftless/scoreboard/scoreboard_table.hpp"
#include "driftless/scoreboard/work_precision_svg.hpp"

namespace driftless::scoreboard {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Solution solution_with(std::vector<std::pair<std::string, double>> ends) {
  Solution solution;
  solution.times = {1.0};
  for (const auto& [name, value] : ends) {
    solution.columns.push_back({.name = name});
    solution.values.push_back(value);
  }
  return solution;
}

TEST(Digits, AreThoseOfTheWorstVariable) {
  const ReferenceEnd end{1.0, "", {{"x", 2.0, 2.0}, {"y", -5.0, 5.0}}};
  EXPECT_NEAR(digits(solution_with({{"x", 2.0 + 2e-7}, {"y", -5.0 - 5e-4}}), end, {"x", "y"}), 4.0, 1e-9);
  EXPECT_NEAR(digits(solution_with({{"x", 2.0 + 2e-7}, {"y", -5.0 - 5e-4}}), end, {"x"}), 7.0, 1e-8);
}

TEST(Digits, AreAskedOfNothingThatPassesThroughZero) {
  const ReferenceEnd end{1.0, "", {{"x", 1e-9, 2.0}}};
  EXPECT_NEAR(digits(solution_with({{"x", 2e-6 + 1e-9}}), end, {"x"}), 3.0, 1e-9);  // 2e-6 by a thousandth of 2
}

TEST(Digits, EndWithThoseOfTheArithmetic) {
  const ReferenceEnd end{1.0, "", {{"x", 0.5, 1.0}}};
  EXPECT_EQ(digits(solution_with({{"x", 0.5}}), end, {"x"}), 16.0);
}

TEST(Digits, OfWhatIsNoNumberAreNone) {
  const ReferenceEnd end{1.0, "", {{"x", 0.5, 1.0}, {"y", 1.0, 1.0}}};
  EXPECT_TRUE(std::isnan(digits(solution_with({{"x", std::nan("")}, {"y", 1.0}}), end, {"x", "y"})));
}

TEST(References, EveryShippedModelHasOne) {
  const auto models = reproduce::shipped_model_names();
  EXPECT_EQ(all_models().size(), models.size());
  EXPECT_GE(models.size(), 34u);
}

TEST(References, AreReadToTheirEnd) {
  const auto end = reference_end("jay");
  ASSERT_TRUE(end);
  EXPECT_EQ(end->stop, 1.0);
  EXPECT_THAT(end->source, HasSubstr("closed form"));
  for (const auto& [name, value, scale] : end->values)
    if (name == "y2") {
      EXPECT_NEAR(value, std::exp(-1.0), 1e-15);
      EXPECT_EQ(scale, 1.0);  // at the start
    }
  EXPECT_FALSE(reference_end("no_such_model"));
}

BoardOptions pendulum(std::vector<std::string> methods, std::vector<double> tolerances) {
  BoardOptions options;
  options.models = {"pendulum"};
  for (const std::string& name : methods) options.methods.push_back(*parse_method(name));
  options.tolerances = std::move(tolerances);
  options.repeat_seconds = 0.0;
  return options;
}

TEST(Board, MeasuresPositionsAndNoMultipliers) {
  const Board board = run(pendulum({"radau3"}, {1e-6}));
  EXPECT_THAT(board.sheets.at(0).measured, ElementsAre("x", "y"));
}

// Its repair differentiates the source voltage, whose reference is zero at all points: it has no relative accuracy.
TEST(Board, MeasuresWhatARepairedModelDifferentiatesAsWritten) {
  BoardOptions options = pendulum({"radau"}, {1e-6});
  options.models = {"transistor_amplifier"};
  const Board board = run(options);
  EXPECT_THAT(board.sheets.at(0).measured, ElementsAre("y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"));
  ASSERT_EQ(board.sheets.at(0).entries.size(), 1u);
  EXPECT_GT(board.sheets.at(0).entries[0].digits, 5.0);
}

// The error at the end of this model is about twelve times the tolerance (tests/references/pendulum.json).
TEST(Board, DigitsFollowTheTolerance) {
  const Board board = run(pendulum({"radau3"}, {1e-4, 1e-8}));
  const std::vector<Entry>& entries = board.sheets.at(0).entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_TRUE(entries[0].succeeded());
  EXPECT_TRUE(entries[1].succeeded());
  EXPECT_GT(entries[0].digits, 2.0);
  EXPECT_GT(entries[1].digits, entries[0].digits + 2.0);
  EXPECT_GT(entries[1].statistics.steps, entries[0].statistics.steps);
  EXPECT_GT(entries[0].seconds, 0.0);
}

TEST(Board, SaysWhyAMethodDoesNotApply) {
  Board board = run(pendulum({"dopri5"}, {1e-4}));  // every method applies to every model that is shipped
  ASSERT_EQ(board.sheets.at(0).entries.size(), 1u);
  board.sheets[0].entries[0].not_applicable = "there is no state";
  EXPECT_THAT(sheet_table(board.sheets[0], board), HasSubstr("does not apply\n  dopri5: there is no state"));
}

TEST(Board, GivesUpWhatTakesTooLong) {
  BoardOptions options = pendulum({"radau3"}, {1e-8});
  options.most_seconds = 0.0;
  const Board board = run(options);
  const Entry& entry = board.sheets.at(0).entries.at(0);
  EXPECT_EQ(entry.outcome, Outcome::Interrupted);
  EXPECT_THAT(entry.failure, HasSubstr("given up"));
  EXPECT_TRUE(std::isnan(entry.digits));
  EXPECT_FALSE(board.interrupted);
}

TEST(Board, EndsWhenTheUserWantsNoMore) {
  BoardOptions options = pendulum({"radau3", "dopri5"}, {1e-8});
  options.progress = [](const std::string&, const std::string&) { return false; };
  const Board board = run(options);
  EXPECT_TRUE(board.interrupted);
  EXPECT_EQ(board.sheets.at(0).entries.size(), 1u);
}

Entry made(const std::string& method, double tolerance, double digits, double seconds) {
  Entry entry{.method = method, .formulation = "dummy", .tolerance = tolerance, .digits = digits, .seconds = seconds};
  entry.statistics.steps = 100;
  entry.error = std::pow(10.0, -digits);
  return entry;
}

Board sample() {
  Entry failed = made("ida", 1e-6, std::nan(""), 1.0);
  failed.outcome = Outcome::StepTooSmall;
  failed.failure = "Newton's iteration does not converge";
  failed.reached = 0.25;
  return {.methods = {"bdf", "ida", "taylor", "auto"},
          .tolerances = {1e-4, 1e-6},
          .sheets = {{.model = "sample",
                      .stop = 1.0,
                      .degrees_of_freedom = 2,
                      .measured = {"x"},
                      .entries = {made("bdf", 1e-4, 3.0, 1e-3),
                                  made("bdf", 1e-6, 5.0, 2e-3),
                                  made("ida", 1e-4, 2.5, 4e-3),
                                  failed,
                                  {.method = "taylor", .not_applicable = "the structure lies"},
                                  made("auto", 1e-4, 4.0, 3e-3),
                                  made("auto", 1e-6, 6.0, 5e-3)}}}};
}

TEST(Table, HasEveryNumberAndEveryReason) {
  const Board board = sample();
  const std::string text = sheet_table(board.sheets[0], board);
  EXPECT_THAT(text, HasSubstr("method  formulation  digits    ms  steps  digits    ms  steps\n"
                              "bdf     dummy           3.0  1.00    100     5.0  2.00    100\n"
                              "ida     dummy           2.5  4.00    100  failed  1000    100\n"));
  EXPECT_THAT(text, HasSubstr("ida at 1e-6: at t = 0.25, Newton's iteration does not converge\n"));
  EXPECT_THAT(text, HasSubstr("taylor: the structure lies\n"));
}

TEST(Table, MarksASuccessThatIsFalse) {
  Board board = sample();
  board.sheets[0].condition = 5.0;
  board.sheets[0].entries[1].error = 4.9e-3;  // within 1,000 tolerances times 5
  EXPECT_THAT(summary(board), HasSubstr("5 successes, 0 of them with an error beyond 1000 tolerances"));
  board.sheets[0].entries[1].error = 5.1e-3;
  EXPECT_THAT(sheet_table(board.sheets[0], board), HasSubstr("5.0!"));
  EXPECT_THAT(summary(board), HasSubstr("5 successes, 1 of them"));
  EXPECT_THAT(summary(board), HasSubstr("bdf on sample at 1e-6: error 0.0051, 5.1e+03 tolerances, condition 5\n"));
  board.sheets[0].entries[1].error = std::nan("");
  EXPECT_THAT(summary(board), HasSubstr("5 successes, 1 of them"));
}

TEST(Table, OfVerdictsHasErrorsInTolerancesTimesTheCondition) {
  Board board = sample();
  board.sheets[0].condition = 2.0;
  board.sheets[0].entries[1].error = 5e-3;
  const std::string text = verdict_table(board.sheets[0], board);
  EXPECT_THAT(text, HasSubstr("sample, condition 2\n"));
  EXPECT_THAT(text, ContainsRegex("bdf +5.0e.00 +2.5e.03!\n"));
  EXPECT_THAT(text, ContainsRegex("ida +1.6e.01 +failed\n"));
  EXPECT_THAT(text, ContainsRegex("taylor +- +-\n"));
  EXPECT_THAT(verdict_summary(board), HasSubstr("5 successes, 1 of them"));
}

// x' = a x from 1, with y = x^2: an error of the start or of a grows by e^3, and twice as much in y.
TEST(Verdict, TheConditionIsTheGrowthOfSmallErrors) {
  ModelBuilder m("Growth");
  const auto a = m.parameter("a", 3.0);
  const auto x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y");
  m.equation(der(x) == a * x);
  m.equation(y == x * x);
  const Model model = m.build();
  const double e3 = std::exp(3.0), e6 = std::exp(6.0);
  const ReferenceEnd end{1.0, "", {{"x", e3, e3}, {"y", e6, e6}}};
  // Of the start, by 2 (|1| + 1), in y; of a, by 3, smaller beside it in x and larger in y.
  EXPECT_NEAR(measured_condition(model, end), 6.0 * e6 / (e6 + 1.0), 1e-2);
  EXPECT_EQ(measured_condition(model, {1.0, "", {{"x", e3, e3}}, 70.0}), 70.0);
  EXPECT_NEAR(end_error(model, solution_with({{"x", e3}, {"y", e6 + 0.1}}), end), 0.1 / (e6 + 1.0), 1e-12);
}

TEST(References, OfModelsThatSetNoConstant) {
  EXPECT_GE(unseen_models().size(), 25u);
  for (const std::string& name : unseen_models()) {
    EXPECT_TRUE(reproduce::shipped_model(name)) << name;
    EXPECT_GE(reference_end(name)->amplification, 1.0) << name;
  }
}

TEST(Table, ComparesAtEqualDigits) {
  const Board board = sample();
  EXPECT_EQ(fastest(board.sheets[0], 3.5), &board.sheets[0].entries[1]);
  EXPECT_EQ(fastest(board.sheets[0], 7.0), nullptr);
  const std::string text = summary(board);
  EXPECT_THAT(text, HasSubstr("sample   1.00  0.25    +0.5"));     // bdf against ida at 1e-4
  EXPECT_THAT(text, HasSubstr("sample  1.50   bdf  1.00  auto"));  // 3 ms against 2 ms for no fewer digits
}

TEST(Json, HoldsEveryRun) {
  const auto object = nlohmann::json::parse(to_json(sample()));
  const auto& runs = object.at("models").at(0).at("runs");
  ASSERT_EQ(runs.size(), 7u);
  EXPECT_EQ(runs[1].at("digits"), 5.0);
  EXPECT_TRUE(runs[3].at("digits").is_null());
  EXPECT_EQ(runs[4].at("not_applicable"), "the structure lies");
}

TEST(WorkPrecision, DrawsALinePerMethodThatRan) {
  const std::string svg = work_precision_svg(sample().sheets[0]);
  EXPECT_THAT(svg, HasSubstr("bdf, tolerance 1e-6: 5.0 digits, 2 ms"));
  EXPECT_THAT(svg, HasSubstr("ida, tolerance 1e-4"));
  EXPECT_THAT(svg, Not(HasSubstr("ida, tolerance 1e-6")));  // it failed
  EXPECT_THAT(svg, Not(HasSubstr("taylor")));
}

}  // namespace
}  // namespace driftless::scoreboard
