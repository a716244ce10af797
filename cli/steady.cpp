#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/steady.hpp"

namespace driftless::cli {
namespace {

struct SteadyArguments {
  ModelArguments model;
  std::optional<double> start;
  bool json = false;
};

using Json = nlohmann::ordered_json;

constexpr std::size_t most_lines = 40, most_modes = 8;

std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

std::string stability(const SteadyState& state) {
  switch (state.stability()) {
    case Stability::NotExamined: return "not examined";
    case Stability::NothingMoves: return "nothing can move";
    case Stability::Unstable: return fmt::format("unstable: {} of {} modes grow", state.growing(), state.modes.size());
    case Stability::Marginal:
      return fmt::format("marginal: {} of {} modes neither grow nor decay", state.neutral(), state.modes.size());
    case Stability::Stable: break;
  }
  return fmt::format("stable: {}", state.modes.size() == 1 ? "its only mode decays"
                                                           : fmt::format("all {} modes decay", state.modes.size()));
}

std::string mode_text(const std::complex<double>& mode, double zero) {
  const double rate = std::abs(mode.real()) <= zero ? 0.0 : mode.real();
  const double turn = std::abs(mode.imag()) <= zero ? 0.0 : std::abs(mode.imag());
  std::string text = turn == 0.0 ? number(rate) : fmt::format("{} +- {}i", number(rate), number(turn));
  if (rate != 0.0) text += fmt::format("   {} in {} s", rate < 0.0 ? "decays" : "grows", number(1.0 / std::abs(rate)));
  if (turn != 0.0) text += fmt::format("   period {} s", number(2.0 * std::numbers::pi / turn));
  return text;
}

void print_values(const SteadyPoint& point, const Model& model) {
  std::size_t width = 0, shown = 0;
  for (const Variable& variable : model.variables)
    if (!variable.auxiliary) width = std::max(width, std::min<std::size_t>(variable.name.size(), 40));
  fmt::print("\n");
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    const Variable& variable = model.variables[j];
    if (variable.auxiliary) continue;
    if (++shown > most_lines) continue;
    const bool rounding = std::abs(point.values[j]) < 1e-12 * variable.nominal;
    const std::string value = number(rounding ? 0.0 : point.values[j]);
    fmt::print("  {:{}} = {}\n", printable(variable.name), width,
               variable.unit.empty() ? value : fmt::format("{:<12} {}", value, printable(variable.unit)));
  }
  if (shown > most_lines) fmt::print("  ... and {} more (--json has all)\n", shown - most_lines);
}

void print_found(const SteadyState& state, const Model& model) {
  const SteadyPoint& point = state.point;
  print_values(point, model);
  fmt::print("\nevery equation holds to {:.1e} of its terms with all derivatives 0\n", point.largest_residual);
  if (point.depends_on_time)
    fmt::print("note       the equations depend on time: nothing moves at time = {}, but later it may\n", point.t);
  if (!point.open.empty())
    fmt::print("note       the equations leave {} open, held at {}: there is a family of steady states\n",
               printable(fmt::format("{}", fmt::join(point.open, ", "))),
               point.open.size() == 1 ? "its start" : "their starts");
  for (const StartReport::Branch& branch : point.branches)
    fmt::print("note       {} = {} leads to another one: {}\n", printable(branch.name), number(branch.other),
               printable(branch.by));
  fmt::print("stability  {}\n", stability(state));
  std::size_t shown = 0;
  for (const auto& mode : state.modes)
    if (mode.imag() >= 0.0 && shown++ < most_modes) fmt::print("           {}\n", mode_text(mode, state.rounding()));
  if (shown > most_modes) fmt::print("           ... and {} more\n", shown - most_modes);
}

void print_missing(const SteadyPoint& point) {
  fmt::print("failed     {}\n", point.proven_absent
                                    ? "the equations have no steady state: they contradict each other if nothing moves"
                                    : "no steady state was found from these starts");
  if (point.violations.empty())
    fmt::print("           at the closest point the equations hold to {:.1e} of their terms only\n",
               point.largest_residual);
  if (!point.proven_absent) fmt::print("           other starts may lead to one\n");
  for (std::size_t k = 0; k < point.violations.size() && k < 8; ++k) {
    const StartReport::Violation& violation = point.violations[k];
    fmt::print("           {} is missed by {}{}{}\n", printable(violation.row), number(violation.residual),
               violation.unit.empty() ? "" : " ", printable(violation.unit));
  }
}

Json to_json(const SteadyState& state, const Model& model) {
  const SteadyPoint& point = state.point;
  Json json;
  json["model"] = model.name;
  json["outcome"] = point.found ? "success" : "no_steady_state";
  json["proven_absent"] = point.proven_absent;
  json["time"] = point.t;
  json["depends_on_time"] = point.depends_on_time;
  if (point.found) {
    json["largest_residual"] = point.largest_residual;
    json["open"] = point.open;
    Json values = Json::object();
    for (std::size_t j = 0; j < model.variables.size(); ++j)
      if (!model.variables[j].auxiliary) values[model.variables[j].name] = point.values[j];
    json["values"] = values;
    json["stability"] = stability(state);
    json["modes"] = Json::array();
    for (const auto& mode : state.modes) json["modes"].push_back({mode.real(), mode.imag()});
  }
  json["violated"] = Json::array();
  for (const auto& violation : point.violations)
    json["violated"].push_back({{"row", violation.row}, {"unit", violation.unit}, {"residual", violation.residual}});
  return json;
}

int steady(const SteadyArguments& arguments) {
  const Analysis analysis = driftless::analyze(read(arguments.model));
  const SteadyState state = find_steady_state(analysis, arguments.start);
  const Model& model = *analysis.model;
  if (arguments.json) {
    std::puts(to_json(state, model).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  } else {
    fmt::print("{}: {} equations, steady state {} at time {}\n", printable(model.name), model.equations.size(),
               state.point.found ? "found" : "not found", state.point.t);
    if (state.point.found)
      print_found(state, model);
    else
      print_missing(state.point);
  }
  return state.point.found ? success : numerical_failure;
}

}  // namespace

void add_steady(Commands& commands) {
  const auto [command, arguments] = commands.add<SteadyArguments>(
      "steady", "find a steady state: nothing moves; and say whether it is stable", steady);
  add_model(command, arguments.model);
  add_number(command, "--start", arguments.start,
             "the time at which nothing moves (otherwise the start time of the model)");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the text");
}

}  // namespace driftless::cli
