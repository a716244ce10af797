// The examples of the catalogue: the one with the mistake gets the message that stands beside it, the other succeeds.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/driftless.hpp"

namespace driftless {

static void PrintTo(Code code, std::ostream* stream) { *stream << to_string(code); }

namespace {

namespace fs = std::filesystem;

struct Answer {
  std::string text;
  int exit = -1;
};

bool is_command(std::string_view example) { return example.starts_with("$ driftless "); }
bool is_model(std::string_view example) { return example.starts_with("model ") || example.starts_with("package "); }

// In a folder that sees models/ and tests/.
class Scratch {
 public:
  Scratch() : folder_(fs::path(testing::TempDir()) / ("driftless_examples_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    for (const char* name : {"models", "tests"})
      if (!fs::exists(folder_ / name)) fs::create_directory_symlink(fs::path(SOURCE_FOLDER) / name, folder_ / name);
  }
  ~Scratch() { fs::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Answer run(std::string_view example) const {
    std::string arguments = "run example.mo";
    if (is_command(example))
      arguments = example.substr(std::string_view("$ driftless ").size());
    else
      std::ofstream(folder_ / "example.mo") << example << "\n";
    const std::string command =
        "cd '" + folder_.string() + "' && { '" DRIFTLESS_PROGRAM "' " + arguments + "; } > out 2>&1";
    const int status = std::system(command.c_str());
    std::ostringstream text;
    text << std::ifstream(folder_ / "out").rdbuf();
    return {text.str(), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  }

 private:
  fs::path folder_;
};

bool same_word(const std::string& a, const std::string& b) {
  if (a == b) return true;
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  const bool numbers = end_a != a.c_str() && end_b != b.c_str() && std::string(end_a) == end_b;
  return numbers && std::abs(x - y) <= 1e-3 * std::abs(x);
}

// Word by word; numbers that depend on rounding may differ a little.
bool begins_with(const std::string& text, const std::string& beginning) {
  std::istringstream first(text), second(beginning);
  std::string x, y;
  while (second >> y)
    if (!(first >> x) || !same_word(x, y)) return false;
  return true;
}

// The first line with the code; of a summary, which breaks long lines, with the indented lines behind it.
std::string told_of(const std::string& text, const std::string& code) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line))
    if (line.find(code + ":") != std::string::npos) break;
  std::string told = line;
  const bool is_summary = line.starts_with("failed ") || line.starts_with("drifted ");
  while (is_summary && std::getline(lines, line) && line.starts_with("           ")) told += "\n" + line;
  return told;
}

class Example : public testing::TestWithParam<Code> {};

TEST_P(Example, GetsItsMessage) {
  const CatalogueEntry& entry = entry_of(GetParam());
  const Scratch scratch;
  const Answer wrong = scratch.run(entry.wrong);
  const std::string told = told_of(wrong.text, to_string(entry.code)), expected(entry.message);
  EXPECT_TRUE(begins_with(told, expected)) << expected << "\n" << wrong.text;
  const bool is_line = told.find('\n') == std::string::npos;
  EXPECT_TRUE(!is_line || begins_with(expected, told)) << expected << "\n" << told;
  const Answer right = scratch.run(entry.right);
  EXPECT_EQ(right.exit, 0) << right.text;
  EXPECT_FALSE(std::regex_search(right.text, std::regex(R"((error|warning|failed +) ?D\d{4}:)"))) << right.text;
}

std::vector<Code> examples() {
  std::vector<Code> found;
  for (const CatalogueEntry& entry : catalogue())
    if (is_command(entry.wrong) || is_model(entry.wrong)) found.push_back(entry.code);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Example, testing::ValuesIn(examples()),
                         [](const auto& test) { return to_string(test.param); });

// ---- examples in C++, as they stand in the catalogue

template <class Statements>
std::string message_of(Statements statements) {
  try {
    statements();
  } catch (const ModelError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return "";
}

TEST(ExampleInCpp, ParameterThatTheTextHasUsed) {
  const std::string text = "model M parameter Integer n = 2; Real x[n](each start = 1); equation der(x) = -x; end M;";
  const std::string said = message_of([&] {
    const Compiled compiled = compile(read_model_text("m.mo", text));
    simulate(compiled, {.parameters = {{"n", 3.0}}});
  });
  EXPECT_EQ(said, entry_of(Code::FixedByTheText).message);
  ReadOptions options;
  options.overrides = {{"n", "3"}};
  EXPECT_EQ(simulate(compile(read_model_text("m.mo", text, options))).outcome, Outcome::Success);
}

TEST(ExampleInCpp, ExpressionOfAnotherModel) {
  const std::string said = message_of([] {
    ModelBuilder a("A"), b("B");
    const Expr x = a.variable("x", {.start = 1.0, .fixed = true});
    b.equation(der(x) == -x);
    b.build();
  });
  EXPECT_EQ(said, entry_of(Code::ForeignExpression).message);
  ModelBuilder b("B");
  const Expr x = b.variable("x", {.start = 1.0, .fixed = true});
  b.equation(der(x) == -x);
  EXPECT_EQ(simulate(b.build()).outcome, Outcome::Success);
}

TEST(ExampleInCpp, MechanismWithoutAForce) {
  const auto mechanism = [](std::vector<double> forces) {
    return constrained_motion(
        "M", {{.name = "x"}, {.name = "y"}}, [&](const Expr&, const std::vector<Expr>&, const std::vector<Expr>&) {
          return EquationsOfMotion{.mass = diagonal({1.0, 1.0}), .force = {forces.begin(), forces.end()}};
        });
  };
  EXPECT_EQ(message_of([&] { mechanism({0.0}); }), entry_of(Code::WrongMechanism).message);
  EXPECT_EQ(simulate(mechanism({0.0, -9.81})).outcome, Outcome::Success);
}

TEST(ExampleInCpp, ValueThatTheEquationsDetermine) {
  const Model model = read_model_file(std::string(SOURCE_FOLDER) + "/models/pendulum.mo");
  const std::string said = message_of([&] {
    Simulation run(compile(model));
    run.advance_to(1.0);
    run.set("lambda", 2.0);
  });
  EXPECT_EQ(said, entry_of(Code::WrongChange).message);
}

}  // namespace
}  // namespace driftless
