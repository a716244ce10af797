#include "driftless/scoreboard/choice_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::scoreboard {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

Entry entry(const char* method, double tolerance, double digits, double operations, double seconds) {
  Entry result{.method = method, .begun_with = "bdf", .tolerance = tolerance};
  result.digits = digits;
  result.error = 2.0 * tolerance;
  result.seconds = seconds;
  result.statistics.operations = operations;
  return result;
}

Board board(std::vector<Entry> entries) {
  Board result{.methods = {"bdf", "radau", "ida", "auto"}, .tolerances = {1e-4, 1e-6}};
  result.sheets.push_back({.model = "unseen/sample", .degrees_of_freedom = 2, .entries = std::move(entries)});
  return result;
}

TEST(ChoiceTable, ComparesWithTheCheapestThatHasNoFewerDigits) {
  const Board sample = board({entry("bdf", 1e-4, 3.0, 100e3, 1e-3), entry("radau", 1e-4, 5.2, 150e3, 3e-3),
                              entry("radau", 1e-6, 7.0, 300e3, 2e-3), entry("ida", 1e-4, 6.0, 1e3, 1e-6),
                              entry("auto", 1e-4, 5.0, 240e3, 4e-3)});
  const Sheet& sheet = sample.sheets.front();
  const Entry& chosen = sheet.entries.back();
  EXPECT_EQ(best_for_digits(sheet, chosen, Cost::Work), &sheet.entries[1]) << "fewer digits, and IDA, do not count";
  EXPECT_EQ(best_for_digits(sheet, chosen, Cost::Time), &sheet.entries[2]) << "at whatever tolerance";
  EXPECT_EQ(best_as_asked(sheet, chosen, Cost::Work), &sheet.entries[0]) << "ten tolerances are enough";
  EXPECT_THAT(choice_table(sample, {1e-4}),
              ContainsRegex("unseen/sample +1e-4 +bdf +5.0 +240 +4.000 +radau +5.2 +1.60!"));
}

TEST(ChoiceTable, AsksForAnErrorThatTheConditionExplains) {
  Board sample = board({entry("bdf", 1e-6, 3.0, 10e3, 1e-3), entry("radau", 1e-6, 7.0, 30e3, 2e-3),
                        entry("auto", 1e-6, 7.0, 30e3, 2e-3)});
  Sheet& sheet = sample.sheets.front();
  sheet.entries[0].error = 1e-3;
  EXPECT_EQ(best_as_asked(sheet, sheet.entries.back(), Cost::Work), &sheet.entries[1]);
  sheet.condition = 100.0;
  EXPECT_EQ(best_as_asked(sheet, sheet.entries.back(), Cost::Work), &sheet.entries[0]);
}

TEST(ChoiceTable, TellsAFailureAndHowManyAreWithinTheDemand) {
  Entry failed = entry("auto", 1e-6, 0.0, 0.0, 0.0);
  failed.outcome = Outcome::StepTooSmall;
  const Board sample =
      board({entry("bdf", 1e-4, 5.0, 100e3, 1e-3), entry("auto", 1e-4, 5.0, 110e3, 1.6e-3), std::move(failed)});
  const std::string text = choice_table(sample, sample.tolerances);
  EXPECT_THAT(text, ContainsRegex("1e-6 +failed"));
  EXPECT_THAT(text, ContainsRegex("work for equal digits +1 of 1 within 1.5, geometric mean 1.10, worst 1.10"));
  EXPECT_THAT(text, ContainsRegex("time for equal digits +0 of 1 within 1.5, geometric mean 1.60, worst 1.60"));
}

}  // namespace
}  // namespace driftless::scoreboard
