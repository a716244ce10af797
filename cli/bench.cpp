#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/complaints.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "driftless/scoreboard/choice_table.hpp"
#include "driftless/scoreboard/scoreboard_json.hpp"
#include "driftless/scoreboard/scoreboard_table.hpp"
#include "driftless/scoreboard/work_precision_svg.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless::cli {
namespace {

struct BenchArguments {
  bool scoreboard = true;  // unless only the verdicts are requested
  bool verdicts = false;
  bool choice = false;
  std::string models, methods, tolerances;  // separated by commas; empty: all
  std::string json;                         // a file
  std::string svg;                          // a folder
};

using namespace scoreboard;

std::vector<std::string> models_of(const std::string& text, const char* otherwise) {
  const std::vector<std::string> known = all_models(), unseen = unseen_models();
  std::vector<std::string> models;
  for (const std::string& name : split_names(text.empty() ? otherwise : text)) {
    if (name == "shipped")
      models.insert(models.end(), known.begin(), known.end());
    else if (name == "unseen")
      models.insert(models.end(), unseen.begin(), unseen.end());
    else if (std::ranges::count(known, name) + std::ranges::count(unseen, name) > 0)
      models.push_back(name);
    else
      throw UsageError(
          Code::UnknownExperiment,
          fmt::format("--models: no model is called '{}'; there are {}; {}; shipped and unseen stand for all of "
                      "these",
                      name, fmt::join(known, ", "), fmt::join(unseen, ", ")));
  }
  return models;
}

std::vector<Method> methods_of(const std::string& text) {
  std::vector<Method> list = methods.parse_list("--methods", text);
  for (const Method& method : list)
    if (!controls_step(method))
      throw UsageError(
          Code::WrongStepSize,
          fmt::format("--methods: {} has no error test: it takes a step size, not a tolerance", to_string(method)));
  return list;
}

// Equal digits are searched at further tolerances: one between every two, and one beyond each end.
std::vector<double> with_steps_between(std::vector<double> tolerances) {
  std::ranges::sort(tolerances, std::greater());
  std::vector<double> all{10.0 * tolerances.front()};
  for (std::size_t k = 0; k < tolerances.size(); ++k) {
    if (k > 0) all.push_back(std::sqrt(tolerances[k - 1] * tolerances[k]));
    all.push_back(tolerances[k]);
  }
  all.push_back(0.1 * tolerances.back());
  return all;
}

void draw(const Sheet& sheet, const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / (sheet.model + ".svg");
  make_folder(file.parent_path().string());
  if (const auto problem = write_file(file, work_precision_svg(sheet))) throw UsageError(Code::CannotWrite, *problem);
}

int bench(const BenchArguments& arguments) {
  expect_writable({arguments.json});
  make_folder(arguments.svg);
  const std::vector<std::string> models = models_of(arguments.models, arguments.choice ? "unseen" : "shipped,unseen");
  BoardOptions options;
  options.methods = methods_of(arguments.methods);
  if (!arguments.tolerances.empty()) options.tolerances = tolerances_of("--tolerances", arguments.tolerances);

  const std::vector<double> tolerances = options.tolerances;
  if (arguments.verdicts) options.repeat_seconds = 0.0;
  if (arguments.choice) {
    options.tolerances = with_steps_between(tolerances);
    options.repeat_seconds = 0.01;
  }

  Board board;
  Progress progress(0.0, static_cast<double>(models.size()), "model");
  options.progress = [&](const std::string&, const std::string&) {
    return progress.update(static_cast<double>(board.sheets.size()));
  };
  // Model by model, so that each table is printed as soon as possible.
  for (const std::string& model : models) {
    options.models = {model};
    Board one = scoreboard::run(options);
    progress.finish();
    if (!arguments.choice)
      fmt::print("{}\n",
                 arguments.verdicts ? verdict_table(one.sheets.front(), one) : sheet_table(one.sheets.front(), one));
    std::fflush(stdout);
    if (!arguments.svg.empty()) draw(one.sheets.front(), arguments.svg);
    board.methods = one.methods;
    board.tolerances = one.tolerances;
    board.sheets.push_back(std::move(one.sheets.front()));
    if (one.interrupted) {
      print_complaint(Code::Interrupted, "interrupted");
      break;
    }
  }
  fmt::print("{}", arguments.choice     ? choice_table(board, tolerances)
                   : arguments.verdicts ? verdict_summary(board)
                                        : summary(board));
  if (!arguments.json.empty())
    if (const auto problem = write_file(arguments.json, to_json(board))) throw UsageError(Code::CannotWrite, *problem);
  if (!arguments.verdicts) return success;
  const bool all_right = std::ranges::all_of(board.sheets, [](const Sheet& sheet) {
    return std::ranges::none_of(sheet.entries, [&](const Entry& entry) { return sheet.is_false(entry); });
  });
  return all_right ? success : numerical_failure;
}

}  // namespace

void add_bench(Commands& commands) {
  const auto [command, arguments] =
      commands.add<BenchArguments>("bench", "measure the methods on the shipped models (docs/benchmarks.md)", bench);
  command.add_flag("--scoreboard", arguments.scoreboard,
                   "every model with every method that applies: digits, time, steps, failures with reasons "
                   "(default)");
  command.add_flag("--verdicts", arguments.verdicts,
                   "only whether what succeeds is right: every run once, errors in tolerances, exit code 1 if not");
  command.add_flag("--choice", arguments.choice,
                   "only what the choice of auto costs, in counted work and in time, beside the best single method; "
                   "of models/unseen if no models are named");
  add_list(command, "--models", "NAME", arguments.models,
           "which (otherwise all): squeezer,pendulum; shipped and unseen are those of models/ and of models/unseen");
  add_list(command, "--methods", "NAME", arguments.methods,
           "which (otherwise all with an error test): bdf,radau,taylor");
  add_list(command, "--tolerances", "NUMBER", arguments.tolerances, "which (otherwise 1e-4,1e-6,1e-8,1e-10)");
  command.add_option("--json", arguments.json, "write all numbers to this file")->type_name("FILE");
  command.add_option("--svg", arguments.svg, "draw digits over time, a picture per model, into this folder")
      ->type_name("DIR");
}

}  // namespace driftless::cli
