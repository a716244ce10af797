#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/linearize.hpp"

namespace driftless::cli {
namespace {

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

}  // namespace

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

}  // namespace driftless::cli
