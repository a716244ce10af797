#include "driftless/initialize/report.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "driftless/language/read.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = StartReport::Line::Kind;
using Role = StartReport::Condition::Role;

StartReport report_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto reduced = samples::reduced(read_model_text("model.mo", text));
  StartReport report = report_start(*reduced, 0.0, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return report;
}

// A declaration in each line, so that a test can put the lines of a cure in their places.
std::string pendulum(const std::string& x, const std::string& y, const std::string& initial) {
  return fmt::format(R"(model Pendulum
  Real x{};
  Real y{};
  Real lambda;
initial equation
{}equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
)",
                     x, y, initial);
}

std::string after_lines(const std::string& line, const StartReport& report) {
  for (const StartReport::Line& change : report.cure) {
    const std::string name = change.text.substr(0, change.text.find('('));
    const bool declares = line == fmt::format("  Real {};", name) || line.starts_with(fmt::format("  Real {}(", name));
    if (change.kind == Kind::Modifier && declares) return fmt::format("  Real {};", change.text);
    if (change.kind == Kind::Removed && change.text.ends_with(line.substr(2, line.size() - 3)) && line.size() > 4)
      return {};
  }
  return line;
}

// Applies the lines of a remedy as a user would. A start that is no longer fixed has a separate line, with a new start.
std::string cured(const std::string& text, const StartReport& report) {
  std::istringstream lines(text);
  std::ostringstream result;
  for (std::string line; std::getline(lines, line);) {
    result << after_lines(line, report) << "\n";
    if (line != "initial equation") continue;
    for (const StartReport::Line& change : report.cure)
      if (change.kind == Kind::InitialEquation) result << "  " << change.text << ";\n";
  }
  return result.str();
}

void expect_cured(const std::string& text) {
  const StartReport before = report_of(text);
  EXPECT_TRUE(before.cure_holds) << text;
  const std::string changed = cured(text, before);
  const StartReport after = report_of(changed);
  EXPECT_TRUE(after.found) << changed;
  EXPECT_THAT(after.moves, IsEmpty()) << changed;
  EXPECT_THAT(after.choices, IsEmpty()) << changed;
  EXPECT_THAT(after.repetitions, IsEmpty()) << changed;
  EXPECT_THAT(after.cure, IsEmpty()) << changed;
}

TEST(StartReport, CountsTheFreedomOfEveryLevel) {
  const StartReport report = report_of(pendulum("(start = 0.6, fixed = true)", "(start = -0.8)", "  der(x) = 0.3;\n"));
  ASSERT_TRUE(report.found);
  ASSERT_THAT(report.levels, SizeIs(2));
  EXPECT_THAT(report.levels[0].quantities, ElementsAre("x", "y"));
  EXPECT_EQ(report.levels[0].equations, 1);
  EXPECT_EQ(report.levels[0].free(), 1);
  EXPECT_THAT(report.levels[1].quantities, ElementsAre("der(x)", "der(y)"));
  EXPECT_EQ(report.levels[1].free(), 1);
  EXPECT_EQ(report.degrees_of_freedom, 2);
  EXPECT_THAT(report.conditions, SizeIs(2));
  EXPECT_THAT(report.cure, IsEmpty());
  EXPECT_TRUE(report.cure_holds);
  EXPECT_LE(report.largest_residual, 1e-15);
}

TEST(StartReport, NamesWhatIsMissingAndWhatCouldTakeItsPlace) {
  const StartReport report = report_of(pendulum("(start = 0.6)", "(start = -0.8)", ""));
  ASSERT_TRUE(report.found);
  ASSERT_THAT(report.choices, SizeIs(2));
  EXPECT_EQ(report.choices[0].name, "x");
  EXPECT_TRUE(report.choices[0].given);
  EXPECT_THAT(report.choices[0].instead, ElementsAre("y"));
  EXPECT_EQ(report.choices[1].name, "der(x)");
  EXPECT_FALSE(report.choices[1].given);
  EXPECT_THAT(report.choices[1].instead, ElementsAre("der(y)"));
  EXPECT_THAT(report.moves, IsEmpty());
}

// At x = 0 the constraint does not determine y from x: y' must be 0, and is no alternative.
TEST(StartReport, OffersOnlyWhatIsPossible) {
  const StartReport report = report_of(pendulum("(start = 0)", "(start = -1)", ""));
  ASSERT_TRUE(report.found);
  for (const StartReport::Choice& choice : report.choices) EXPECT_THAT(choice.instead, IsEmpty()) << choice.name;
}

TEST(StartReport, TellsWhatMovedByWhichEquation) {
  const StartReport report = report_of(pendulum("(start = 0.6)", "(start = -1, unit = \"m\")", ""));
  ASSERT_TRUE(report.found);
  ASSERT_THAT(report.moves, SizeIs(1));
  EXPECT_EQ(report.moves[0].name, "y");
  EXPECT_EQ(report.moves[0].unit, "m");
  EXPECT_EQ(report.moves[0].from, -1.0);
  EXPECT_NEAR(report.moves[0].to, -0.8, 1e-12);
  EXPECT_THAT(report.moves[0].by, HasSubstr("x^2 + y^2 = 1"));
}

TEST(StartReport, FindsTheOtherBranch) {
  const StartReport report = report_of(pendulum("(start = 0.6, fixed = true)", "(start = -0.7)", "  der(x) = 0;\n"));
  ASSERT_TRUE(report.found);
  ASSERT_THAT(report.branches, SizeIs(1));
  EXPECT_EQ(report.branches[0].name, "y");
  EXPECT_NEAR(report.branches[0].taken, -0.8, 1e-12);
  EXPECT_NEAR(report.branches[0].other, 0.8, 1e-12);
}

TEST(StartReport, FindsConditionsThatRepeat) {
  const StartReport report =
      report_of(pendulum("(start = 0.6, fixed = true)", "(start = 0.8, fixed = true)", "  der(x) = 0;\n"));
  ASSERT_TRUE(report.found) << report.message;
  ASSERT_THAT(report.repetitions, SizeIs(1));
  EXPECT_THAT(report.repetitions[0].conditions,
              ::testing::UnorderedElementsAre("the fixed start x = 0.6", "the fixed start y = 0.8"));
  EXPECT_THAT(report.repetitions[0].equations, ElementsAre(HasSubstr("x^2 + y^2 = 1")));
  EXPECT_EQ(report.conditions[0].role, Role::Repeated);
  EXPECT_EQ(report.conditions[2].role, Role::Used);
}

TEST(StartReport, FindsTheSmallestConflict) {
  const StartReport report =
      report_of(pendulum("(start = 0.6, fixed = true)", "(start = 0.7, fixed = true)", "  der(x) = 0;\n"));
  EXPECT_FALSE(report.found);
  ASSERT_THAT(report.conditions, SizeIs(3));
  EXPECT_EQ(report.conditions[0].role, Role::Conflicting);
  EXPECT_EQ(report.conditions[1].role, Role::Conflicting);
  EXPECT_EQ(report.conditions[2].role, Role::Used);
  EXPECT_THAT(report.violations, Not(IsEmpty()));
  EXPECT_GT(report.trials[Strategy::Together].tried, 0);
}

TEST(StartReport, HasLinesThatSettleTheStart) {
  expect_cured(pendulum("(start = 0.6)", "(start = -1)", ""));
  expect_cured(pendulum("", "", ""));
  expect_cured(pendulum("(start = 0.6, fixed = true)", "(start = -0.7)", ""));
  expect_cured(pendulum("(start = 0.6, fixed = true)", "(start = 0.7, fixed = true)", "  der(x) = 0;\n"));
  expect_cured(pendulum("(start = 0.6, fixed = true)", "(start = 0.7)", "  der(x) = 0;\n  x*der(x) + y*der(y) = 1;\n"));
  expect_cured(pendulum("(start = 2, fixed = true)", "(start = 0.7)", "  der(x) = 0;\n"));
}

TEST(StartReport, GivesUpTheConditionThatMovesLeast) {
  const StartReport report =
      report_of(pendulum("(start = 0.6, fixed = true)", "(start = 0.7, fixed = true)", "  der(x) = 0;\n"));
  ASSERT_THAT(report.cure, Not(IsEmpty()));  // y = 0.8 is 0.1 away; x = 0.714 would be 0.114 away
  EXPECT_EQ(report.cure[0].text, "fixed = true of y");
}

// A concentration is positive: of the two roots of z^2 + z - 2 = 0 the one within the bounds is found.
TEST(StartReport, LooksBetweenTheBounds) {
  const char* text = R"(model Equilibrium
  Real c(start = 1, fixed = true);
  Real z({}min = 0);
equation
  der(c) = -z;
  z^2 + z - 2*c = 0;
end Equilibrium;
)";
  for (const char* start : {"", "start = -1, ", "start = -10, "}) {
    const StartReport report = report_of(fmt::format(fmt::runtime(text), start));
    ASSERT_TRUE(report.found) << report.message;
    EXPECT_THAT(report.values, ::testing::Contains(::testing::Pair("z", ::testing::DoubleNear(1.0, 1e-12)))) << start;
  }
}

// Newton's method goes down the slope to z = 5; the other solution is nearer to the start.
TEST(StartReport, TakesTheNearerSolution) {
  const StartReport report = report_of(R"(model Hump
  Real c(start = 0, fixed = true);
  Real z(start = 0.5);
equation
  der(c) = -z;
  (z + 0.3)*(5 - z)*exp(-2*z) = c;
end Hump;
)");
  ASSERT_TRUE(report.found);
  const auto z = std::ranges::find(report.values, "z", [](const auto& value) { return value.first; });
  EXPECT_NEAR(z->second, -0.3, 1e-12);
}

}  // namespace
}  // namespace driftless
