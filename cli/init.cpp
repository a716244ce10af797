#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/examine.hpp"

namespace driftless::cli {
namespace {

struct InitArguments {
  ModelArguments model;
  std::optional<double> start;
  bool fix = false;
  bool json = false;
};

using Json = nlohmann::ordered_json;

constexpr std::size_t most_lines = 12, most_names = 6;

std::string counted(std::size_t n, const char* thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? number(value) : fmt::format("{} {}", number(value), unit);
}

std::string names(const std::vector<std::string>& list) {
  if (list.size() <= most_names) return fmt::format("{}", fmt::join(list, ", "));
  return fmt::format("{}, ... ({} more)", fmt::join(list.begin(), list.begin() + most_names, ", "),
                     list.size() - most_names);
}

std::string position(const Sources& sources, SourceRange range) {
  return range.known() ? fmt::format("line {}", sources.line_of(range)) : std::string();
}

// A titled list, cut where it becomes too long.
void print_list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  fmt::print("\n{}\n", printable(title));
  for (std::size_t k = 0; k < lines.size() && k < most_lines; ++k) fmt::print("  {}\n", printable(lines[k]));
  if (lines.size() > most_lines) fmt::print("  ... and {} more\n", lines.size() - most_lines);
}

void print_levels(const StartReport& report) {
  if (report.levels.empty()) return;
  std::size_t width = 5;
  std::vector<std::string> titles;
  for (const StartReport::Level& level : report.levels)
    width = std::max(width, titles.emplace_back(names(level.quantities)).size());
  fmt::print("\n{:{}}  unknowns  equations  free\n", "level", width);
  for (std::size_t k = 0; k < titles.size(); ++k)
    fmt::print("{:{}}  {:8}  {:9}  {:4}\n", printable(titles[k]), width, report.levels[k].quantities.size(),
               report.levels[k].equations, report.levels[k].free());
}

void print_conditions(const StartReport& report, const Sources& sources) {
  std::vector<std::string> lines;
  for (const StartReport::Condition& condition : report.conditions) {
    const std::string at = position(sources, condition.range);
    const char* role = condition.role == StartReport::Condition::Role::Conflicting ? "   <- in conflict"
                       : condition.role == StartReport::Condition::Role::Repeated  ? "   <- repeats"
                                                                                   : "";
    lines.push_back(fmt::format("{}{}{}", at.empty() || condition.text.find(at) != std::string::npos ? "" : at + ": ",
                                condition.text, role));
  }
  print_list(fmt::format("conditions: {} of {}", report.conditions.size(), report.degrees_of_freedom), lines);
  lines.clear();
  for (const StartReport::Repetition& repetition : report.repetitions) {
    std::string text = fmt::format("{}", fmt::join(repetition.conditions, ", "));
    if (!repetition.equations.empty()) text += fmt::format(", with {}", names(repetition.equations));
    lines.push_back(text);
  }
  print_list("superfluous: in each line one condition follows from the others, and can be removed", lines);
}

void print_choices(const StartReport& report) {
  std::vector<std::string> lines;
  for (const StartReport::Choice& choice : report.choices) {
    std::string text = fmt::format("{} = {}", choice.name, with_unit(choice.value, choice.unit));
    text += choice.given ? "   from its start" : "   no start is given";
    if (!choice.instead.empty()) text += fmt::format("; in its place possible: {}", names(choice.instead));
    lines.push_back(text);
  }
  print_list(fmt::format("missing: {}, taken as", counted(report.choices.size(), "condition")), lines);
}

void print_moves(const StartReport& report) {
  std::vector<std::string> lines;
  for (const StartReport::Move& move : report.moves)
    lines.push_back(fmt::format("{} = {} -> {} (by {}){}", move.name, number(move.from), with_unit(move.to, move.unit),
                                number(move.to - move.from), move.by.empty() ? "" : "   " + move.by));
  print_list("moved starts, and the equation that moved them", lines);
  lines.clear();
  for (const StartReport::Branch& branch : report.branches)
    lines.push_back(fmt::format("{} = {} was taken; {} is a solution too   {}", branch.name, number(branch.taken),
                                with_unit(branch.other, branch.unit), branch.by));
  print_list("several solutions: a start of the variable chooses", lines);
}

void print_failure(const StartReport& report) {
  std::vector<std::string> lines;
  for (const StartReport::Violation& violation : report.violations) {
    std::vector<std::string> at;
    for (const auto& [name, value] : violation.at) at.push_back(fmt::format("{} = {}", name, number(value)));
    lines.push_back(fmt::format("{} by {}{}", violation.row, with_unit(violation.residual, violation.unit),
                                at.empty() ? "" : "   at " + names(at)));
  }
  print_list("violated at the closest point that was found", lines);
  fmt::print("\n{:34}  tried  solved  closest\n", "strategy");
  for (int k = 0; k < strategies; ++k) {
    const Trial& trial = report.trials[static_cast<Strategy>(k)];
    const std::string closest = trial.tried == trial.solved   ? "-"
                                : std::isfinite(trial.missed) ? fmt::format("{:.2g}", trial.missed)
                                                              : "no value";
    fmt::print("{:34}  {:5}  {:6}  {:>7}\n", to_string(static_cast<Strategy>(k)), trial.tried, trial.solved, closest);
  }
}

void print_cure(const StartReport& report, const Sources& sources) {
  const auto print = [&](StartReport::Line::Kind kind, const char* before, const char* after) {
    for (const StartReport::Line& line : report.cure) {
      if (line.kind != kind) continue;
      const std::string at = position(sources, line.range);
      fmt::print("{:43} // {}{}{}\n", fmt::format("  {}{}{}", before, printable(line.text), after), at,
                 at.empty() ? "" : ": ", printable(line.why));
    }
  };
  print(StartReport::Line::Kind::Removed, "// remove ", "");
  print(StartReport::Line::Kind::Modifier, "", "");
  if (std::ranges::any_of(report.cure,
                          [](const auto& line) { return line.kind == StartReport::Line::Kind::InitialEquation; }))
    fmt::print("initial equation\n");
  print(StartReport::Line::Kind::InitialEquation, "", ";");
}

Json line_of(const Sources& sources, SourceRange range) {
  return range.known() ? Json(sources.line_of(range)) : Json();
}

void add_conditions(Json& json, const StartReport& report, const Sources& sources) {
  for (const auto& condition : report.conditions) {
    const char* role = condition.role == StartReport::Condition::Role::Conflicting ? "conflicting"
                       : condition.role == StartReport::Condition::Role::Repeated  ? "repeated"
                                                                                   : "used";
    json["conditions"].push_back(
        {{"condition", condition.text}, {"line", line_of(sources, condition.range)}, {"role", role}});
  }
}

void add_failure(Json& json, const StartReport& report) {
  for (const auto& violation : report.violations) {
    Json at = Json::object();
    for (const auto& [name, value] : violation.at) at[name] = value;
    json["violated"].push_back(
        {{"row", violation.row}, {"unit", violation.unit}, {"residual", violation.residual}, {"at", at}});
  }
  for (int k = 0; k < strategies; ++k) {
    const Trial& trial = report.trials[static_cast<Strategy>(k)];
    json["strategies"].push_back({{"strategy", to_string(static_cast<Strategy>(k))},
                                  {"tried", trial.tried},
                                  {"solved", trial.solved},
                                  {"closest", std::isfinite(trial.missed) ? Json(trial.missed) : Json()}});
  }
}

void add_cure(Json& json, const StartReport& report, const Sources& sources) {
  for (const auto& line : report.cure) {
    const char* kind = line.kind == StartReport::Line::Kind::Modifier          ? "modifier"
                       : line.kind == StartReport::Line::Kind::InitialEquation ? "initial_equation"
                                                                               : "remove";
    json["fix"].push_back(
        {{"kind", kind}, {"text", line.text}, {"line", line_of(sources, line.range)}, {"why", line.why}});
  }
}

Json to_json(const StartReport& report, const Model& model) {
  Json json;
  json["model"] = model.name;
  json["outcome"] = report.found ? "success" : "initialization_failed";
  json["time"] = report.t;
  if (!report.found) json["message"] = report.message;
  if (!report.found) json["details"] = report.details;
  json["notes"] = report.notes;
  json["degrees_of_freedom"] = report.degrees_of_freedom;
  if (report.found) json["largest_residual"] = report.largest_residual;
  for (const char* list :
       {"levels", "conditions", "superfluous", "missing", "moved", "branches", "violated", "strategies", "fix"})
    json[list] = Json::array();
  for (const auto& level : report.levels)
    json["levels"].push_back(
        {{"quantities", level.quantities}, {"equations", level.equations}, {"free", level.free()}});
  add_conditions(json, report, *model.sources);
  for (const auto& repetition : report.repetitions)
    json["superfluous"].push_back({{"conditions", repetition.conditions}, {"equations", repetition.equations}});
  for (const auto& choice : report.choices)
    json["missing"].push_back({{"quantity", choice.name},
                               {"unit", choice.unit},
                               {"value", choice.value},
                               {"start_given", choice.given},
                               {"instead", choice.instead}});
  for (const auto& move : report.moves)
    json["moved"].push_back(
        {{"quantity", move.name}, {"unit", move.unit}, {"from", move.from}, {"to", move.to}, {"by", move.by}});
  for (const auto& branch : report.branches)
    json["branches"].push_back({{"quantity", branch.name},
                                {"unit", branch.unit},
                                {"taken", branch.taken},
                                {"other", branch.other},
                                {"equation", branch.by}});
  add_failure(json, report);
  add_cure(json, report, *model.sources);
  json["fix_holds"] = report.cure_holds;
  Json values = Json::object();
  for (const auto& [name, value] : report.values) values[name] = value;
  json["values"] = values;
  return json;
}

void print_report(const StartReport& report, const Analysis& analysis) {
  const Model& model = *analysis.model;
  fmt::print("{}: {}, structural index {}, {} of freedom, at time {}\n", printable(model.name),
             counted(model.equations.size(), "equation"), analysis.shape.structural_index,
             counted(report.degrees_of_freedom, "degree"), report.t);
  if (!report.found) fmt::print("\nfailed     {}\n", printable(report.message));
  print_list("the equations as they are solved", report.notes);
  print_levels(report);
  print_conditions(report, *model.sources);
  if (report.found) {
    print_choices(report);
    print_moves(report);
    std::vector<std::string> values;
    for (const auto& [name, value] : report.values) values.push_back(fmt::format("{} = {}", name, number(value)));
    print_list("start", values);
    fmt::print("\nevery equation holds at every level, to {:.1e} of its terms\n", report.largest_residual);
  } else {
    print_failure(report);
  }
  if (report.cure.empty()) {
    if (!report.found) print_list("what to do", {report.details.empty() ? std::string() : report.details.back()});
    return;
  }
  fmt::print("\n{}\n", report.cure_holds ? "lines that settle this start in the model (--fix prints them alone)"
                                         : "lines that come closer, but do not settle the start");
  print_cure(report, *model.sources);
}

int init(const InitArguments& arguments) {
  const Analysis analysis = driftless::analyze(read(arguments.model));
  const StartReport report = examine_start(analysis, arguments.start);
  if (arguments.json)
    std::puts(to_json(report, *analysis.model).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else if (arguments.fix)
    print_cure(report, *analysis.model->sources);
  else
    print_report(report, analysis);
  if (arguments.fix && !report.cure_holds && !arguments.json)
    fmt::print(stderr, "driftless: {}\n",
               printable(report.found          ? "these lines do not settle every start"
                         : report.cure.empty() ? "no lines are known that help: " + report.message
                                               : "these lines do not settle the start: " + report.message));
  return arguments.fix ? (report.cure_holds ? success : numerical_failure)
                       : (report.found ? success : numerical_failure);
}

}  // namespace

void add_init(Commands& commands) {
  const auto [command, arguments] = commands.add<InitArguments>(
      "init", "examine the start: degrees of freedom, conditions given, missing or in conflict, values that moved",
      init);
  add_model(command, arguments.model);
  add_number(command, "--start", arguments.start,
             "start time (otherwise from the model's experiment annotation, or 0)");
  command.add_flag("--fix", arguments.fix, "print only the lines that make the model consistent");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the text");
}

}  // namespace driftless::cli
