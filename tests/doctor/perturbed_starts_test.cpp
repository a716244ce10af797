// Starts that are only roughly right: every start of every shipped model is moved at random by up to 30 % of its
// nominal value, and a consistent start must be found, with every equation at every level.
//
// DRIFTLESS_RANDOM_MODELS=n tries n times as many.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/rows.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr double largest_move = 0.3;  // of the nominal value
constexpr double exact = 1e-10;       // of a row, relative to its terms

int samples() {
  const char* times = std::getenv("DRIFTLESS_RANDOM_MODELS");
  return 10 * (times ? std::max(1, std::atoi(times)) : 1);
}

std::vector<std::string> all_models() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(MODELS))
    if (entry.path().extension() == ".mo" && entry.path().parent_path().filename() != "large")
      names.push_back(fs::relative(entry.path(), MODELS).replace_extension().string());
  std::ranges::sort(names);
  return names;
}

// The largest residual of the equations at all levels, relative to the terms of each.
double worst_row(const Reduced& reduced, const State& state) {
  Diagnostics diagnostics;
  const InitialProblem problem = make_initial_problem(reduced, diagnostics);
  const auto is_defined = [&](const InitialUnknown& unknown) {  // by an equation that was eliminated
    return unknown.parameter < 0 && reduced.slot_of(unknown.quantity) < 0;
  };
  std::vector<int> equations;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (problem.rows[i].kind == InitialRow::Kind::Equation &&
        std::ranges::none_of(problem.gradients[i],
                             [&](const auto& entry) { return is_defined(problem.unknowns[entry.first]); }))
      equations.push_back(static_cast<int>(i));
  InitialRows rows(*reduced.model, problem, state.t, {equations});
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) {
    const InitialUnknown& unknown = problem.unknowns[k];
    if (is_defined(unknown)) continue;
    double& value = rows.value(static_cast<int>(k));
    if (unknown.parameter >= 0)
      value = state.parameters.at(unknown.parameter);
    else
      value = (reduced.place(unknown.quantity) == Place::Slot ? state.y : state.yp)[reduced.slot_of(unknown.quantity)];
  }
  const std::span<const double> residual = rows.residual(0);
  std::vector<double> size(problem.rows.size(), 0.0);
  for (const InitialRows::Entry& entry : rows.jacobian(0))
    size[entry.row] += std::abs(entry.value) * (std::abs(rows.value(entry.col)) + problem.unknowns[entry.col].nominal);
  double worst = 0.0;
  for (std::size_t i = 0; i < residual.size(); ++i)
    if (size[equations[i]] > 0.0) worst = std::max(worst, std::abs(residual[i]) / size[equations[i]]);
  return worst;
}

class PerturbedStarts : public testing::TestWithParam<std::string> {};

TEST_P(PerturbedStarts, AreMadeConsistent) {
  const fs::path file = fs::path(MODELS) / (GetParam() + ".mo");
  const Analysis analysis = analyze(read_model_file(file, {.libraries = {LIBRARIES}}));
  std::mt19937 generator(20260712);
  std::uniform_real_distribution<double> move(-largest_move, largest_move);
  int found = 0, tried = 0;
  double worst = 0.0;
  std::string why;
  for (const bool all : {false, true})
    for (int sample = 0; sample < samples(); ++sample) {
      auto model = std::make_shared<Model>(*growable(analysis.model));
      for (Variable& variable : model->variables) {
        if (!variable.start || (variable.fixed && !all)) continue;
        variable.fixed = false;
        *variable.start += move(generator) * variable.nominal;
      }
      Reduced base = *analysis.base;
      base.model = growable(std::shared_ptr<const Model>(model));
      Diagnostics diagnostics;
      const auto start = initialize(base, model->experiment.start, diagnostics, guarded_guess);
      ++tried;
      if (const State* state = std::get_if<State>(&start)) {
        ++found;
        if (!base.implicit) worst = std::max(worst, worst_row(base, *state));
      } else {
        const NoConsistentStart& reason = std::get<NoConsistentStart>(start);
        why = reason.message + (reason.details.empty() ? "" : "; " + reason.details.front());
      }
    }
  RecordProperty("found", fmt::format("{} of {}", found, tried));
  if (std::getenv("DRIFTLESS_VERBOSE"))
    fmt::print("{:40} {:5} of {:5}  {:.1e}  {}\n", GetParam(), found, tried, worst, why);
  EXPECT_LE(tried - found, tried / 100) << why;
  EXPECT_LE(worst, exact);
}

INSTANTIATE_TEST_SUITE_P(Models, PerturbedStarts, testing::ValuesIn(all_models()), [](const auto& model) {
  std::string name = model.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

}  // namespace
}  // namespace driftless
