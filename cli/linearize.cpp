#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/linearize.hpp"

namespace driftless::cli {
namespace {

struct LinearizeArguments {
  RunArguments run;  // its outputs, method and interval; no pictures
  std::optional<double> at;
  bool steady = false;
  std::optional<std::string> inputs, outputs;  // names, separated by commas
  std::string states;
};

std::optional<std::vector<std::string>> names_of(const std::optional<std::string>& list) {
  if (!list) return {};
  return split_names(*list);
}

StateSpace at_rest(const LinearizeArguments& arguments, Model model, const LinearizeOptions& options) {
  return linearize_at_rest(std::make_shared<const Model>(std::move(model)), options, {},
                           arguments.at ? arguments.at : arguments.run.simulate.start);
}

StateSpace on_the_way(const LinearizeArguments& arguments, Model model, const LinearizeOptions& options) {
  SimulateOptions simulate = arguments.run.simulate;
  simulate.tolerance = arguments.run.tolerance.value_or(model.experiment.tolerance.value_or(1e-6));
  simulate.inputs = read_inputs(arguments.run.inputs, model);
  simulate.dense = false;
  return linearize(compile(std::move(model), simulate), options, {}, arguments.at);
}

int linearize(const LinearizeArguments& arguments) {
  check_steps(arguments.run);
  for (const std::string& file : arguments.run.outputs)
    if (!is_state_space_file(file))
      throw UsageError(Code::UnknownFormat,
                       fmt::format("a linear system is written as .mat, .csv or .json, not as '{}'", file));
  expect_writable(arguments.run.outputs, {arguments.run.model.file});
  Model model = read(arguments.run.model);
  const LinearizeOptions options{.inputs = names_of(arguments.inputs),
                                 .outputs = names_of(arguments.outputs),
                                 .states = split_names(arguments.states)};
  const StateSpace system = arguments.steady ? at_rest(arguments, std::move(model), options)
                                             : on_the_way(arguments, std::move(model), options);
  fmt::print("{}", arguments.run.json ? to_json(system) : to_text(system));
  for (const std::string& file : arguments.run.outputs) {
    if (const auto problem = write_state_space(system, file)) throw UsageError(Code::CannotWrite, *problem);
    if (!arguments.run.json) fmt::print("wrote      {}\n", printable(file));
  }
  return success;
}

}  // namespace

void add_linearize(Commands& commands) {
  const auto [command, arguments] = commands.add<LinearizeArguments>(
      "linearize", "matrices and modes of a model near a point of its motion (docs/linearize.md)", linearize);
  add_model(command, arguments.run.model);
  add_number(command, "--at", arguments.at, "the time of the point (otherwise the start of the run)");
  command.add_flag("--steady", arguments.steady, "at a steady state instead of a point of a run");
  command.add_option("--inputs", arguments.inputs, "inputs and parameters (otherwise all inputs of the model)")
      ->type_name("NAME,...");
  command.add_option("--outputs", arguments.outputs, "variables and derivatives (otherwise all variables, up to 100)")
      ->type_name("NAME,...");
  add_list(command, "--states", "NAME", arguments.states,
           "these among the states, as far as the constraints leave them free");
  command.add_option("--output", arguments.run.outputs, "write the matrices (.mat, .csv, .json); may be repeated")
      ->type_name("FILE");
  command.add_flag("--json", arguments.run.json, "print one JSON object instead of the text");
  command.add_option("--input", arguments.run.inputs, "tables that drive the inputs of the model; may be repeated")
      ->type_name("FILE.csv");
  add_number(command, "--start", arguments.run.simulate.start,
             "start time (otherwise from the model's experiment annotation, or 0)");
  add_tolerance(command, arguments.run);
  add_method(command, arguments.run);
}

}  // namespace driftless::cli
