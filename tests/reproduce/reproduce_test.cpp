// The experiments of the literature, run through the product: every number that should agree does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "driftless/reproduce/report.hpp"

namespace driftless::reproduce {

// The name of a test case.
void PrintTo(const Experiment& experiment, std::ostream* out) { *out << experiment.name; }

namespace {

// All experiments share their runs.
Runner& runner() {
  static Runner shared;
  return shared;
}

// What these say is about the steps of IDA: bdf, which takes its place where the program was built without it, takes
// fewer or other ones.
bool counts_steps_of_ida(const std::string& name) {
  return name == "fl1" || name == "fl3" || name == "ms1" || name == "ms2";
}

class Reproduced : public ::testing::TestWithParam<Experiment> {};

TEST_P(Reproduced, EveryNumberAgrees) {
  if (!ida_available() && counts_steps_of_ida(GetParam().name)) GTEST_SKIP() << "built without IDA";
  const Report report = GetParam().run(runner());
  EXPECT_GT(report.score().agree, 0);
  for (const Table& table : report.tables)
    for (const Row& row : table.rows)
      for (std::size_t k = 0; k < row.cells.size(); ++k)
        EXPECT_NE(verdict(row.cells[k]), Verdict::Differs)
            << table.title << ": " << fmt::format("{}", fmt::join(row.labels, ", ")) << ", " << table.heads[k] << ": "
            << number_text(*row.cells[k].ours) << " against "
            << (row.cells[k].recomputed ? number_text(*row.cells[k].recomputed) : row.cells[k].printed) << " ("
            << to_string(row.cells[k].rule) << ") " << row.failure;
  for (const Statement& statement : report.statements)
    EXPECT_TRUE(statement.holds) << statement.text << " " << statement.measured;
}

std::string test_name(const ::testing::TestParamInfo<Experiment>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char ch) { return ch == '.' || ch == '-'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Literature, Reproduced, ::testing::ValuesIn(experiments()), test_name);

const Experiment& named(const std::string& name) { return *select({name}).experiments.at(0); }

// 284 numbers of the tables 4.1 to 4.9, and six residuals that are rounding.
TEST(AscherPetzold, HasAllItsCells) {
  int cells = 0, rounding = 0;
  for (int table = 1; table <= 9; ++table) {
    const Report report = named(fmt::format("ap4.{}", table)).run(runner());
    for (const Row& row : report.tables[0].rows)
      for (const Cell& cell : row.cells) {
        cells += cell.ours.has_value();
        rounding += cell.note == "r";
      }
  }
  EXPECT_EQ(cells, 290);
  EXPECT_EQ(rounding, 6);
}

// Negative control: the rules are narrow enough to see another step size or another gamma.
TEST(AscherPetzold, AnotherRunIsNoticed) {
  const auto differs = [](const char* formulation, double step, double recomputed) {
    const reproduce::Setup setup{
        .model = "ascher_petzold_2", .formulation = formulation, .method = "backward-euler", .step = step};
    const auto error = [](const Solution& s) { return std::abs(s.final("x1") - std::exp(1.0)); };
    const Table table = measure({.title = "",
                                 .label_heads = {"run"},
                                 .columns = {{"error", error, Within{0.005}}},
                                 .rows = {{{"one"}, setup, {{"", recomputed}}}},
                                 .notes = {}},
                                runner());
    return verdict(table.rows[0].cells[0]) == Verdict::Differs;
  };
  EXPECT_FALSE(differs("projected-invariants", 0.01, 1.355e-5));
  EXPECT_TRUE(differs("projected-invariants", 0.0101, 1.355e-5));
  EXPECT_TRUE(differs("projected-invariants", 0.005, 1.355e-5));
  EXPECT_TRUE(differs("baumgarte:gamma=100", 0.01, 1.355e-5));
}

}  // namespace
}  // namespace driftless::reproduce
