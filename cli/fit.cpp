#include "driftless/fit/fit.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/results.hpp"
#include "driftless/choices/options.hpp"
#include "driftless/diagnostics/printable.hpp"

namespace driftless::cli {
namespace {

struct FitArguments {
  RunArguments run;                          // its outputs are the trajectory with the estimates
  std::string data;                          // a file
  std::string unknowns, bounds, deviations;  // separated by commas: k or k=1; k=0:10; x=0.1
  int most_iterations = 100;
};

double number_in(const std::string& option, const std::string& text) {
  const auto number = parse_number(text);
  if (!number) throw UsageError(Code::WrongOptionValue, fmt::format("{}: '{}' is not a number", option, text));
  return *number;
}

// "name=value" or "name".
std::pair<std::string, std::string> split_at(const std::string& text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

template <class Item>
Item& item_named(std::vector<Item>& items, const std::string& name, const std::string& option) {
  const auto found = std::ranges::find(items, name, &Item::name);
  if (found == items.end())
    throw UsageError(Code::WrongOptionValue, fmt::format("{}: '{}' is not among those of the fit", option, name));
  return *found;
}

std::vector<fit::Unknown> unknowns_of(const FitArguments& arguments) {
  std::vector<fit::Unknown> unknowns;
  for (const std::string& text : split_names(arguments.unknowns)) {
    const auto [name, guess] = split_at(text, '=');
    unknowns.push_back({.name = name});
    if (!guess.empty()) unknowns.back().guess = number_in("--parameters", guess);
  }
  for (const std::string& text : split_names(arguments.bounds)) {
    const auto [name, range] = split_at(text, '=');
    if (range.find(':') == std::string::npos)
      throw UsageError(Code::WrongOptionValue,
                       fmt::format("--bounds expects NAME=LOW:HIGH, one of which may be missing, not '{}'", text));
    const auto [low, high] = split_at(range, ':');
    fit::Unknown& unknown = item_named(unknowns, name, "--bounds");
    if (!low.empty()) unknown.lower = number_in("--bounds", low);
    if (!high.empty()) unknown.upper = number_in("--bounds", high);
  }
  return unknowns;
}

fit::Data data_of(const FitArguments& arguments) {
  auto read = fit::read_data(arguments.data);
  if (const auto* problem = std::get_if<std::string>(&read)) throw UsageError(Code::WrongFit, *problem);
  fit::Data data = std::move(std::get<fit::Data>(read));
  for (const std::string& text : split_names(arguments.deviations)) {
    const auto [name, deviation] = split_at(text, '=');
    item_named(data.series, name, "--deviations").deviation = number_in("--deviations", deviation);
  }
  return data;
}

// Writes the trajectory with the estimates, as for a run.
Results::Written write(Results& results, const Solution& solution) {
  const RowSink sink = results.sink();
  sink.begin(solution);
  const std::size_t series = solution.series();
  for (std::size_t k = 0; k < solution.times.size(); ++k)
    sink.row(solution.times[k], std::span(solution.values).subspan(k * series, series));
  return results.finish(solution);
}

int fit(const FitArguments& arguments) {
  Results results(arguments.run);
  check_steps(arguments.run);
  if (arguments.unknowns.empty())
    throw UsageError(Code::WrongFit, "--parameters names what is sought: parameters, and variables for their starts");
  const fit::Data data = data_of(arguments);
  const std::vector<fit::Unknown> unknowns = unknowns_of(arguments);
  const auto model = std::make_shared<const Model>(read(arguments.run.model));
  SimulateOptions simulate = arguments.run.simulate;
  simulate.tolerance = arguments.run.tolerance.value_or(std::min(1e-8, model->experiment.tolerance.value_or(1e-8)));
  simulate.inputs = read_inputs(arguments.run.inputs, *model);
  const bool writes = !arguments.run.outputs.empty() || arguments.run.plot || !arguments.run.plot_file.empty();
  fit::Options options{.most_iterations = arguments.most_iterations};
  options.inputs.intervals = arguments.run.simulate.intervals ? arguments.run.simulate.intervals
                             : writes                         ? std::optional(500)
                                                              : std::optional(1);
  options.inputs.stop = arguments.run.simulate.stop;
  const fit::Result found = fit::fit(compile(model, simulate), data, unknowns, options);

  Results::Written written;
  if (writes) written = write(results, found.solution);
  std::fputs(arguments.run.json ? fit::to_json(found).c_str() : printable(fit::to_text(found)).c_str(), stdout);
  if (!arguments.run.json)
    for (const std::string& file : written.files) fmt::print("wrote      {}\n", printable(file));
  for (const std::string& problem : written.problems) throw UsageError(Code::CannotWrite, problem);
  return found.converged ? success : numerical_failure;
}

}  // namespace

void add_fit(Commands& commands) {
  const auto [command, arguments] =
      commands.add<FitArguments>("fit", "find parameters and starts from measurements (docs/sensitivities.md)", fit);
  add_model(command, arguments.run.model);
  command.add_option("DATA", arguments.data, "measurements (.csv): a column time, and one for each measured variable")
      ->required();
  add_list(
      command, "--parameters", "NAME", arguments.unknowns,
      "parameters, and variables whose starts are sought: k,m=2 with first values where they differ from the model");
  add_list(command, "--bounds", "NAME=LOW:HIGH", arguments.bounds, "bounds of these: k=0:10,m=0:");
  add_list(command, "--deviations", "NAME=NUMBER", arguments.deviations,
           "standard deviations of measured variables (otherwise 1)");
  add_inputs(command, arguments.run.inputs);
  command.add_option("--iterations", arguments.most_iterations, "give up after so many (otherwise 100)")
      ->check(up_to(1'000'000))
      ->type_name("N");
  add_results(command, arguments.run);
  add_method(command, arguments.run);
}

}  // namespace driftless::cli
