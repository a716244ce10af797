// Wrong, tricky and degenerate models: each file is solved, or refused with the reason. The first lines of a file say
// what is expected:
//
//   // expects: <a part of what analyze says>           of a model that is solved; its variables `wrong` must vanish
//   // expects error: <a part of the message>           of a model that is refused
//   // expects failure: <a part of the message>         of a run that ends early
//   // expects start: <a part of what init says>        besides: "moved y = -1 -> -0.8", "missing der(x)", "fix ..."
//
// Every model is also tried inside a larger one, with some 300 equations that are right. There the same is expected,
// and no message names one of these.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/driftless.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

constexpr double tolerance = 1e-6;
constexpr double allowed = 100.0 * tolerance;

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> expected(const std::string& text, const char* key) {
  std::vector<std::string> all;
  std::istringstream lines(text);
  const std::string begin = std::string("// ") + key + ": ";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) all.push_back(line.substr(begin.size()));
  return all;
}

// Behind the equations of the model, so that its lines keep their numbers: a chain of reactions and a chain of masses.
std::string surrounded(const std::string& text) {
  const std::size_t declarations = text.find('\n', text.find("\nmodel ") + 1);
  std::string result = text;
  result.insert(text.rfind("end "),
                "  der(bystander[1]) = -bystander[1]; for k in 2:150 loop der(bystander[k]) = bystander[k - 1] - "
                "bystander[k]; end for; for k in 1:150 loop more[k]^3 + more[k] = bystander[k]; end for;\n");
  result.insert(declarations, " Real bystander[150](each start = 1, each fixed = true), more[150];");
  return result;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(DOCTOR))
    if (entry.path().extension() == ".mo") all.push_back(entry.path().stem());
  std::ranges::sort(all);
  return all;
}

struct Case {
  std::string name;
  bool in_a_large_model;
  friend void PrintTo(const Case& one, std::ostream* stream) { *stream << one.name; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& name : names())
    for (const bool large : {false, true}) all.push_back({name, large});
  return all;
}

class Doctor : public testing::TestWithParam<Case> {
 protected:
  std::string text() const {
    const std::string text = read_text(std::filesystem::path(DOCTOR) / (GetParam().name + ".mo"));
    return GetParam().in_a_large_model ? surrounded(text) : text;
  }
};

std::string summary(const Analysis& analysis) {
  std::string text = fmt::format("index {}, {} degree{} of freedom\n", analysis.shape.structural_index,
                                 analysis.shape.degrees_of_freedom, analysis.shape.degrees_of_freedom == 1 ? "" : "s");
  if (analysis.repair)
    for (const std::string& step : analysis.repair->steps) text += step + "\n";
  return text;
}

std::string start_summary(const Analysis& analysis) {
  const StartReport report = examine_start(analysis);
  std::string text = report.found ? "found\n" : fmt::format("failed {}\n", report.message);
  for (const auto& level : report.levels)
    text += fmt::format("level {}: {} of {} free\n", level.quantities[0], level.free(), level.quantities.size());
  for (const auto& condition : report.conditions)
    if (condition.role == StartReport::Condition::Role::Conflicting)
      text += fmt::format("conflict {}\n", condition.text);
  for (const auto& repetition : report.repetitions)
    text += fmt::format("superfluous {}\n", fmt::join(repetition.conditions, ", "));
  for (const auto& choice : report.choices) text += fmt::format("missing {} = {:.6g}\n", choice.name, choice.value);
  for (const auto& move : report.moves)
    text += fmt::format("moved {} = {:.6g} -> {:.6g}\n", move.name, move.from, move.to);
  for (const auto& branch : report.branches)
    text += fmt::format("branch {} = {:.6g} or {:.6g}\n", branch.name, branch.taken, branch.other);
  for (const auto& violation : report.violations) text += fmt::format("violated {}\n", violation.row);
  for (const auto& line : report.cure) text += fmt::format("fix {}\n", line.text);
  text += report.cure_holds ? "fix holds\n" : "fix does not hold\n";
  return text;
}

void expect_failure(const Model& model, const std::vector<std::string>& parts) {
  const Solution solution = simulate(model, {.stop = 1.0, .tolerance = tolerance});
  EXPECT_NE(solution.outcome, Outcome::Success);
  std::string text = solution.message;
  for (const std::string& detail : solution.details) text += "\n" + detail;
  for (const std::string& part : parts) EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, testing::Not(HasSubstr("bystander")));
}

void expect_right(const Model& model, const char* method) {
  const Solution solution = simulate(model, {.stop = 1.0, .tolerance = tolerance, .method = *parse_method(method)});
  ASSERT_EQ(solution.outcome, Outcome::Success) << method << ": " << solution.message;
  int looked_at = 0;
  for (std::size_t c = 0; c < solution.columns.size(); ++c) {
    if (!std::regex_match(solution.columns[c].name, std::regex(R"(wrong(\[\d+\])?)"))) continue;
    ++looked_at;
    for (std::size_t row = 0; row < solution.times.size(); ++row)
      ASSERT_LE(std::abs(solution.value(row, c)), allowed)
          << method << ": " << solution.columns[c].name << " at t = " << solution.times[row];
  }
  EXPECT_GT(looked_at, 0);
}

TEST_P(Doctor, SolvesOrExplains) {
  const std::string text = this->text();
  const std::vector<std::string> errors = expected(text, "expects error"), says = expected(text, "expects"),
                                 failures = expected(text, "expects failure"), starts = expected(text, "expects start");
  ASSERT_EQ(!errors.empty() + !says.empty() + !failures.empty(), 1) << "a model is solved or refused, or its run fails";
  try {
    const Model model = read_model_text(GetParam().name + ".mo", text);
    const Analysis analysis = analyze(model);
    for (const std::string& part : says)
      if (!GetParam().in_a_large_model || !part.starts_with("index")) {
        EXPECT_THAT(summary(analysis), HasSubstr(part));
      }
    EXPECT_THAT(summary(analysis), testing::Not(HasSubstr("bystander")));
    if (!starts.empty()) {
      const std::string start = start_summary(analysis);
      for (const std::string& part : starts) EXPECT_THAT(start, HasSubstr(part));
    }
    if (!failures.empty()) return expect_failure(model, failures);
    for (const char* method : {"auto", "bdf", "radau"}) expect_right(model, method);
    EXPECT_TRUE(errors.empty()) << "was not refused";
  } catch (const ModelError& error) {
    ASSERT_FALSE(errors.empty()) << error.what();
    for (const std::string& part : errors) EXPECT_THAT(error.what(), HasSubstr(part));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("bystander")));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("more[")));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Doctor, testing::ValuesIn(cases()), [](const auto& tested) {
  return tested.param.name + (tested.param.in_a_large_model ? "_large" : "");
});

}  // namespace
}  // namespace driftless
