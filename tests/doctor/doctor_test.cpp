// Models whose structure tells something else than their equations: each file is solved, or refused with the reason.
// The first lines of a file say what is expected:
//
//   // expects: <a part of what analyze says>           of a model that is solved; its variables `wrong` must vanish
//   // expects error: <a part of the message>
//
// Every model is also tried inside a larger one, with some 300 equations that are right. There the same is expected,
// and no message names one of these.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
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
  const std::vector<std::string> errors = expected(text, "expects error"), says = expected(text, "expects");
  ASSERT_NE(errors.empty(), says.empty()) << "a model is solved or refused";
  try {
    const Model model = read_model_text(GetParam().name + ".mo", text);
    const Analysis analysis = analyze(model);
    for (const std::string& part : says)
      if (!GetParam().in_a_large_model || !part.starts_with("index")) {
        EXPECT_THAT(summary(analysis), HasSubstr(part));
      }
    EXPECT_THAT(summary(analysis), testing::Not(HasSubstr("bystander")));
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
