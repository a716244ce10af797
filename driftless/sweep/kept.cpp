#include <algorithm>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {
namespace {

constexpr std::size_t most_unnamed = 100;  // variables that are kept by default

[[noreturn]] void refuse_kept(const Model& model, std::string message, Code code = Code::UnknownName) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message));
  throw ModelError(diagnostics, *model.sources);
}

std::vector<std::string> names_of_results(const Model& model) {
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const InvariantOfModel& invariant : model.invariants) names.push_back(invariant.name);
  return names;
}

bool wraps(const std::string& text, const char* function) {
  return text.starts_with(function) && text.ends_with(')') && text[std::char_traits<char>::length(function)] == '(';
}

std::string within(const std::string& text) {
  const std::size_t open = text.find('(');
  return text.substr(open + 1, text.size() - open - 2);
}

void expect_result(const Model& model, const std::string& name, const std::vector<std::string>& names) {
  std::string variable = name;
  while (wraps(variable, "der")) variable = within(variable);
  if (std::ranges::find(names, variable) != names.end()) return;
  refuse_kept(model, fmt::format("{} has no variable '{}' that could be kept{}", model.name, variable,
                                 did_you_mean(variable, std::vector<std::string_view>(names.begin(), names.end()))));
}

}  // namespace

std::vector<Kept> kept(const Model& model, const std::vector<std::string>& texts) {
  const std::vector<std::string> names = names_of_results(model);
  std::vector<Kept> list;
  if (texts.empty()) {
    if (names.size() > most_unnamed)
      refuse_kept(model, fmt::format("{} has {} variables: name those to be kept", model.name, names.size()),
                  Code::WrongOptionValue);
    for (const std::string& name : names) list.push_back({.text = name, .name = name});
    return list;
  }
  for (const std::string& text : texts) {
    Kept one;
    one.text = one.name = text;
    if (wraps(text, "max"))
      one.what = Kept::What::Largest, one.name = within(text);
    else if (wraps(text, "min"))
      one.what = Kept::What::Smallest, one.name = within(text);
    expect_result(model, one.name, names);
    list.push_back(std::move(one));
  }
  return list;
}

Followed followed(const Compiled& compiled, const Options& options) {
  Followed result{options.trajectories, {}};
  if (result.names.empty()) return result;
  const Model& model = compiled.model();
  const std::vector<std::string> names = names_of_results(model);
  for (const std::string& name : result.names) expect_result(model, name, names);
  const auto first = [](const std::optional<double>& a, const std::optional<double>& b) { return a ? a : b; };
  const auto start = first(options.inputs.start, compiled.options().start),
             stop = first(options.inputs.stop, compiled.options().stop);
  for (const Binding& binding : model.bindings)
    if ((binding.of == Binding::Of::StartTime && !start) || (binding.of == Binding::Of::StopTime && !stop))
      refuse_kept(model,
                  "trajectories need one interval for all runs, and that of the model depends on parameters: give "
                  "start and stop",
                  Code::WrongTimeSpan);
  const double from = start.value_or(model.experiment.start), to = stop.value_or(model.experiment.stop);
  const int intervals = output_intervals(
      options.inputs.intervals ? options.inputs.intervals : compiled.options().intervals, model.experiment, from, to);
  for (int k = 0; k <= intervals; ++k) result.times.push_back(from + (to - from) * k / intervals);
  return result;
}

}  // namespace driftless::sweep
