// Each file x.rules belongs to a chapter of the specification of Modelica 3.6 and holds cases of this form:
//
//   rule: a parameter of a part is modified where the part is declared
//   model A parameter Real k = 1; Real y = k; end A;
//   model M A a(k = 2); end M;
//   expect:
//   parameter a.k = 2
//   a.y - a.k
//
// The model is M. The lines behind `expect:`, up to an empty one, are all its equations as residuals, in their order;
// `initial ...` its initial equations; or one line `refused: ...`, the first message. Lines `parameter name = value`,
// `start name = value`, `variables names` and `discrete names` (with the relations that conditions hold) are compared
// as well where they are written.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

struct Case {
  std::string file, rule, text;
  std::vector<std::string> expected;
};

std::vector<Case> cases_of(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  enum { Outside, Text, Expected } part = Outside;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("rule: ")) {
      cases.push_back({path.filename().string(), line.substr(6), {}, {}});
      part = Text;
    } else if (line == "expect:") {
      part = Expected;
    } else if (line.empty()) {
      if (part == Expected) part = Outside;
    } else if (part == Text) {
      cases.back().text += line + "\n";
    } else if (part == Expected) {
      cases.back().expected.push_back(line);
    }
  }
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(RULES_FOLDER))
    if (entry.path().extension() == ".rules") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Case> all;
  for (const auto& file : files)
    for (Case& one : cases_of(file)) all.push_back(std::move(one));
  return all;
}

// What a line of this kind says of the model; the line itself if it is an equation.
std::string answer(const Model& model, const std::string& line) {
  const std::size_t space = line.find(' ');
  const std::string kind = line.substr(0, space);
  const std::string name = line.substr(space + 1, line.find(" = ") - space - 1);
  const auto number = [&](double value) { return fmt::format("{} {} = {}", kind, name, value); };
  if (kind == "parameter") {
    for (const Parameter& parameter : model.parameters)
      if (parameter.name == name) return number(parameter.value);
    return "no parameter " + name;
  }
  if (kind == "start") {
    for (const Variable& variable : model.variables)
      if (variable.name == name) return number(variable.start.value_or(0.0));
    return "no variable " + name;
  }
  if (kind == "variables") return fmt::format("variables {}", fmt::join(testing::names(model), " "));
  std::vector<std::string> names;
  for (const DiscreteVariable& variable : model.discrete.variables) names.push_back(variable.name);
  return fmt::format("discrete {}", fmt::join(names, " "));
}

bool asks(const std::string& line) {
  return line.starts_with("parameter ") || line.starts_with("start ") || line.starts_with("variables ") ||
         line.starts_with("discrete ");
}

std::vector<std::string> answers(const Case& one) {
  ReadOptions options;
  options.model = "M";
  const testing::Reading reading = testing::read(one.text, options);
  if (!reading.model) {
    for (const Diagnostic& diagnostic : reading.diagnostics.all())
      if (diagnostic.severity == Severity::Error) return {"refused: " + diagnostic.message};
    return {"refused without a reason"};
  }
  const Model& model = *reading.model;
  std::vector<std::string> lines;
  for (const std::string& line : one.expected)
    if (asks(line)) lines.push_back(answer(model, line));
  for (const Equation& equation : model.equations) lines.push_back(testing::text_of(model, equation.residual));
  for (const Equation& equation : model.initial_equations)
    lines.push_back("initial " + testing::text_of(model, equation.residual));
  return lines;
}

TEST(Rules, EachSmallModelBecomesTheEquationsExpected) {
  const std::vector<Case> cases = all_cases();
  EXPECT_GE(cases.size(), 300U);
  std::set<std::string> seen;
  for (const Case& one : cases) {
    EXPECT_TRUE(seen.insert(one.file + one.rule).second) << "twice: " << one.rule;
    EXPECT_FALSE(one.expected.empty()) << one.rule;
    EXPECT_EQ(fmt::format("{}", fmt::join(answers(one), "\n")), fmt::format("{}", fmt::join(one.expected, "\n")))
        << one.file << ": " << one.rule << "\n"
        << one.text;
  }
}

// The table is a test only if it can fail.
TEST(Rules, AnotherModelHasOtherAnswers) {
  const Case wrong{"", "", "model M Real x = 2*time; end M;", {"x - time"}};
  EXPECT_NE(answers(wrong), wrong.expected);
}

}  // namespace
}  // namespace driftless
