// Random models of every kind where a success could be false. DRIFTLESS_RANDOM_MODELS=n makes n times as many,
// DRIFTLESS_RANDOM_FIRST=n begins with the model number n + 1 of every kind, DRIFTLESS_RANDOM_METHODS=auto,ida takes
// other methods, DRIFTLESS_RANDOM_TEXTS=folder writes the text of every model that is judged false there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/random_models/judge.hpp"

namespace driftless::random_models {
namespace {

using Generator = RandomModel (*)(std::uint64_t);

int number_from(const char* variable, int smallest) {
  const char* text = std::getenv(variable);
  return text ? std::max(smallest, std::atoi(text)) : smallest;
}

struct Counts {
  int models = 0, runs = 0, successes = 0, refused = 0, false_ones = 0;
  double residual = 0.0, error = 0.0;
};

SimulateOptions options_for(const std::string& method, double tolerance) {
  SimulateOptions options;
  options.method = *parse_method(method);
  options.tolerance = tolerance;
  options.intervals = 20;
  options.backend = Backend::Interpreter;
  options.dense = false;
  options.max_steps = 200'000;
  return options;
}

std::vector<std::string> other_methods(const std::vector<std::string>& methods) {
  const char* text = std::getenv("DRIFTLESS_RANDOM_METHODS");
  if (!text) return methods;
  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

// Every method on every model; tolerances alternate.
void expect_nothing_false(const char* kind, Generator generate, int count,
                          const std::vector<std::string>& its_methods) {
  const std::vector<std::string> methods = other_methods(its_methods);
  static const std::vector<double> tolerances = {1e-4, 1e-6, 1e-8};
  Counts counts;
  const int first = number_from("DRIFTLESS_RANDOM_FIRST", 0);
  const int behind = first + count * number_from("DRIFTLESS_RANDOM_MODELS", 1);
  for (int k = first; k < behind; ++k) {
    const RandomModel model = generate(static_cast<std::uint64_t>(k) + 1);
    ++counts.models;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const double tolerance = tolerances[(static_cast<std::size_t>(k) + m) % tolerances.size()];
      const Verdict verdict = judge(model, options_for(methods[m], tolerance));
      const std::string lie = falsehood(model, verdict);
      ++counts.runs;
      ++(verdict.success ? counts.successes : counts.refused);
      counts.residual = std::max(counts.residual, verdict.residual);
      counts.error = std::max(counts.error, verdict.error / model.condition);
      if (lie.empty()) continue;
      ++counts.false_ones;
      ADD_FAILURE() << fmt::format("{} {}, {} at {:g}: {}", kind, k + 1, methods[m], tolerance, lie);
      if (const char* folder = std::getenv("DRIFTLESS_RANDOM_TEXTS"))
        std::ofstream(fmt::format("{}/{}{}.mo", folder, model.name, k + 1))
            << fmt::format("// {} at {:g}: {}\n", methods[m], tolerance, lie) << model.text();
    }
  }
  fmt::print(
      "{:12} {:5} models, {:5} runs: {:5} successes, {:4} refused or failed, {:4} false; residual up to {:.2g}, "
      "error up to {:.2g} tolerances\n",
      kind, counts.models, counts.runs, counts.successes, counts.refused, counts.false_ones, counts.residual,
      counts.error);
}

TEST(RandomModels, StartsAreUsedAsWritten) { expect_nothing_false("starts", start_model, 400, {"bdf"}); }
// a1 + 0.55 sin(a1) = 100,000 x2: a1 turns 113,000 times while x2 moves by 7, and nothing else feels it.
TEST(RandomModels, TurnsThatNothingDependsOnAreSteppedOver) {
  SimulateOptions options = options_for("bdf", 1e-8);
  options.max_steps = 3000;
  const RandomModel model = start_model(1077);
  EXPECT_EQ(falsehood(model, judge(model, options)), "");
}
TEST(RandomModels, StartsByRadauAndSeries) {
  expect_nothing_false("starts", short_start_model, 400, {"radau", "taylor"});
}
TEST(RandomModels, Index1) {
  expect_nothing_false("index 1", index1_model, 300, {"bdf", "radau", "half-explicit5", "half-explicit-extrapolation"});
}
// 0.03 der(x3) beside der(x2): no definition of der(x3).
TEST(RandomModels, RatesAreNotDefinedBySmallTerms) {
  const RandomModel model = index1_model(30352);
  EXPECT_EQ(falsehood(model, judge(model, options_for("radau", 1e-6))), "");
}
TEST(RandomModels, Index1BySeries) { expect_nothing_false("index 1", index1_model, 150, {"taylor"}); }
TEST(RandomModels, Index2) { expect_nothing_false("index 2", index2_model, 200, {"bdf", "radau", "taylor"}); }
TEST(RandomModels, Mechanisms) {
  expect_nothing_false("mechanisms", mechanism_model, 200, {"bdf", "explicit", "taylor"});
}
TEST(RandomModels, Circuits) { expect_nothing_false("circuits", circuit_model, 200, {"bdf", "radau", "taylor"}); }
TEST(RandomModels, Rectifiers) { expect_nothing_false("rectifiers", rectifier_model, 100, {"bdf", "radau", "taylor"}); }
TEST(RandomModels, Kinks) { expect_nothing_false("kinks", kink_model, 300, {"bdf", "radau", "explicit"}); }
TEST(RandomModels, KinksBySeries) { expect_nothing_false("kinks", kink_model, 150, {"taylor"}); }
TEST(RandomModels, Pulses) { expect_nothing_false("pulses", pulse_model, 150, {"bdf", "radau", "explicit", "taylor"}); }
TEST(RandomModels, Jumps) { expect_nothing_false("jumps", jump_model, 150, {"bdf", "radau", "taylor"}); }
TEST(RandomModels, Branches) {
  expect_nothing_false("branches", branch_model, 150, {"bdf", "radau", "explicit", "half-explicit5", "auto"});
}
TEST(RandomModels, FirstKinks) {
  expect_nothing_false("first kinks", first_kink_model, 60, {"bdf", "radau", "explicit", "taylor", "auto"});
}
TEST(RandomModels, HiddenDependence) { expect_nothing_false("hidden", hidden_model, 250, {"bdf", "radau", "taylor"}); }

}  // namespace
}  // namespace driftless::random_models
