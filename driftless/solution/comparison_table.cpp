#include "driftless/solution/comparison_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "driftless/solution/text_table.hpp"

namespace driftless {
namespace {

constexpr std::size_t widest_table = 100;  // characters

std::string scientific(double value) { return fmt::format("{:.1e}", value); }
std::string unless_missing(double value) { return std::isnan(value) ? "-" : scientific(value); }

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return fmt::format("{:.{}f} ms", ms, ms < 10.0 ? 1 : 0);
}

// Reasons are written once, below the table.
class Footnotes {
 public:
  std::string mark(const std::string& reason) {
    auto known = std::ranges::find(reasons_, reason);
    if (known == reasons_.end()) known = reasons_.insert(known, reason);
    return fmt::format("({})", known - reasons_.begin() + 1);
  }

  std::string text() const {
    std::string text;
    for (std::size_t k = 0; k < reasons_.size(); ++k)
      text += fmt::format("{}({}) {}\n", k == 0 ? "\n" : "", k + 1, reasons_[k]);
    return text;
  }

 private:
  std::vector<std::string> reasons_;
};

std::string outcome_of(const ComparedRun& run, Footnotes& notes) {
  if (reached_end(run.outcome)) return to_string(run.outcome);
  return fmt::format("stopped at t = {:.3g} {}", run.reached,
                     notes.mark(run.failure.empty() ? to_string(run.outcome) : run.failure));
}

std::string level_head(std::size_t level) {
  if (level == 0) return "as written";
  constexpr const char* heads[] = {"1st der.", "2nd der.", "3rd der."};
  return level <= std::size(heads) ? heads[level - 1] : fmt::format("{}th der.", level);
}

struct TableColumn {
  std::string head;
  std::function<std::string(const ComparedRun&)> cell;
  bool words = false;   // aligned at the left
  bool key = false;     // identifies the run: first in every part of the table
  std::string group{};  // the heading above this head and those that follow
};

template <class Predicate>
bool any_run(const Comparison& comparison, Predicate predicate) {
  return std::ranges::any_of(comparison.runs, [&](const ComparedRun& run) { return run.applies() && predicate(run); });
}

// The column says which is meant only if both tolerances and step sizes occur.
TableColumn setting_column(const Comparison& comparison) {
  const bool steps = any_run(comparison, [](const ComparedRun& run) { return run.step.has_value(); });
  const bool tolerances = any_run(comparison, [](const ComparedRun& run) { return !run.step; });
  const char* mark = steps && tolerances ? "h = " : "";
  return {steps ? (tolerances ? "tol or step" : "step") : "tol",
          [mark](const ComparedRun& run) {
            return run.step ? fmt::format("{}{:g}", mark, *run.step) : tolerance_text(run.tolerance);
          },
          true, true};
}

TableColumn count_column(const char* head, long Statistics::*count) {
  return {head, [count](const ComparedRun& run) { return std::to_string(run.statistics.*count); }};
}

std::vector<TableColumn> columns_of(const Comparison& comparison, Footnotes& notes) {
  const Varying varies = varying(comparison);
  std::vector<TableColumn> columns{{"formulation", [](const ComparedRun& run) { return run.formulation; }, true, true}};
  if (varies.method) columns.push_back({"method", [](const ComparedRun& run) { return run.method; }, true, true});
  if (varies.projection)
    columns.push_back({"projection", [](const ComparedRun& run) { return run.projection; }, true, true});
  columns.push_back(setting_column(comparison));
  columns.push_back({"outcome", [&notes](const ComparedRun& run) { return outcome_of(run, notes); }, true});
  columns.push_back(count_column("steps", &Statistics::steps));
  columns.push_back(count_column("residuals", &Statistics::residual_evaluations));
  columns.push_back(count_column("Jacobians", &Statistics::jacobian_evaluations));
  columns.push_back(
      {"CPU time", [](const ComparedRun& run) { return milliseconds(run.statistics.seconds.integrate); }});
  columns.push_back({"error", [](const ComparedRun& run) { return unless_missing(run.error); }});
  if (any_run(comparison, [](const ComparedRun& run) { return run.statistics.largest_condition.matrix > 0.0; }))
    columns.push_back({"condition", [](const ComparedRun& run) {
                         return run.statistics.largest_condition.matrix > 0.0
                                    ? scientific(run.statistics.largest_condition.matrix)
                                    : "-";
                       }});

  std::size_t levels = 0;
  for (const ComparedRun& run : comparison.runs) levels = std::max(levels, run.drift.size());
  for (std::size_t level = 0; level < levels; ++level)
    columns.push_back(
        {level_head(level),
         [level](const ComparedRun& run) { return level < run.drift.size() ? scientific(run.drift[level]) : "-"; },
         false, false, level == 0 ? "largest residual" : ""});
  for (std::size_t k = 0; k < comparison.invariants.size(); ++k)
    columns.push_back(
        {comparison.invariants[k],
         [k](const ComparedRun& run) { return k < run.changes.size() ? scientific(run.changes[k].largest) : "-"; },
         false, false, k == 0 ? "largest change" : ""});
  return columns;
}

// The line above the heads; empty if no column belongs to a group.
std::string group_heads(const std::vector<TableColumn>& columns, const std::vector<std::size_t>& widths) {
  std::string above;
  for (std::size_t k = 0, at = 0; k < columns.size(); at += widths[k++] + 2) {
    if (columns[k].group.empty()) continue;
    if (!above.empty()) above += "  ";
    above.resize(std::max(above.size(), at), ' ');
    above += columns[k].group;
  }
  return above.empty() ? above : above + '\n';
}

// With several methods or projections the runs of each formulation are separated by an empty line.
std::vector<Line> lines_of(const Comparison& comparison, const std::vector<TableColumn>& columns) {
  const Varying varies = varying(comparison);
  std::vector<Line> lines(1);
  for (const TableColumn& column : columns) lines[0].push_back(column.head);
  const ComparedRun* before = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    if (before && before->formulation != run.formulation && (varies.method || varies.projection)) lines.push_back({});
    Line& line = lines.emplace_back();
    for (const TableColumn& column : columns) line.push_back(column.cell(run));
    before = &run;
  }
  return lines;
}

// The columns of each part: all keys, and as many others as fit the width. Columns of one group stay together where
// they can.
std::vector<std::vector<std::size_t>> parts_of(const std::vector<TableColumn>& columns,
                                               const std::vector<std::size_t>& widths) {
  std::vector<std::size_t> keys, others;
  std::size_t key_width = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    (columns[k].key ? keys : others).push_back(k);
    if (columns[k].key) key_width += widths[k] + 2;
  }
  const auto group_width = [&](std::size_t k) {  // of this column and those that belong to its group
    std::size_t width = widths[k] + 2;
    if (columns[k].group.empty()) return width;
    while (++k < columns.size() && columns[k].group.empty()) width += widths[k] + 2;
    return width;
  };
  std::vector<std::vector<std::size_t>> parts{keys};
  std::size_t width = key_width;
  for (const std::size_t k : others) {
    const bool whole_group_fits =
        width + group_width(k) <= widest_table + 2 || key_width + group_width(k) > widest_table + 2;
    if (parts.back().size() > keys.size() && (width + widths[k] + 2 > widest_table + 2 || !whole_group_fits)) {
      parts.push_back(keys);
      width = key_width;
    }
    parts.back().push_back(k);
    width += widths[k] + 2;
  }
  return parts;
}

// In parts that fit the width, one below the other.
std::string table_of_runs(const Comparison& comparison, Footnotes& notes) {
  const std::vector<TableColumn> columns = columns_of(comparison, notes);
  const std::vector<Line> lines = lines_of(comparison, columns);
  if (lines.size() <= 1) return "";
  const std::vector<std::size_t> widths = widths_of(lines);
  std::string text;
  for (const std::vector<std::size_t>& part : parts_of(columns, widths)) {
    std::vector<TableColumn> some;
    std::vector<Line> cells;
    for (const std::size_t k : part) some.push_back(columns[k]);
    for (const Line& line : lines) {
      Line& chosen = cells.emplace_back();
      for (const std::size_t k : part)
        if (!line.empty()) chosen.push_back(line[k]);
    }
    const auto words = static_cast<std::size_t>(std::ranges::count(some, true, &TableColumn::words));
    if (!text.empty()) text += "\n";
    text += group_heads(some, widths_of(cells)) + aligned(cells, words);
  }
  return text;
}

// One line for all combinations that do not apply for the same reason.
std::string not_applicable(const Comparison& comparison) {
  struct Group {
    std::string reason, method;
    std::vector<std::string> formulations;
  };
  std::vector<Group> groups;
  for (const ComparedRun& run : comparison.runs) {
    if (run.applies()) continue;
    const std::string method =
        run.method + (run.projection.empty() || run.projection == "none" ? "" : " with projection " + run.projection);
    auto group = std::ranges::find_if(
        groups, [&](const Group& g) { return g.reason == run.not_applicable && g.method == method; });
    if (group == groups.end()) group = groups.insert(group, {run.not_applicable, method, {}});
    group->formulations.push_back(run.formulation);
  }
  std::string text;
  for (const Group& group : groups)
    text += fmt::format("  {}{}: {}\n", group.method.empty() ? "" : group.method + " on ",
                        fmt::join(group.formulations, ", "), group.reason);
  return text.empty() ? text : "\ndoes not apply\n" + text;
}

std::string measured_against(const Comparison& comparison) {
  std::string text =
      fmt::format("{}   {:.6g} … {:.6g}; error: against ", comparison.model, comparison.start, comparison.stop);
  if (!comparison.reference_file.empty()) return text + comparison.reference_file;
  text += fmt::format("{} at the tolerance {}", comparison.reference_method,
                      tolerance_text(comparison.reference_tolerance));
  if (!std::isnan(comparison.reference_error)) text += fmt::format(", exact to {:.1g}", comparison.reference_error);
  if (comparison.reference_outcome != Outcome::Success)
    text += fmt::format(", which stopped at t = {:.6g}: {}", comparison.reference_reached,
                        to_string(comparison.reference_outcome));
  return text;
}

// A method or projection that is the same for all runs is named in the text instead of a column.
std::string common_to_all(const Comparison& comparison) {
  const auto first = std::ranges::find_if(comparison.runs, &ComparedRun::applies);
  if (first == comparison.runs.end()) return {};
  const Varying varies = varying(comparison);
  std::string text;
  if (!varies.method && !first->method.empty() && first->method != "bdf") text += "; method: " + first->method;
  if (!varies.projection && !first->projection.empty() && first->projection != "none")
    text += "; projection: " + first->projection;
  return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  Footnotes notes;
  const std::string table = table_of_runs(comparison, notes);
  std::string text = measured_against(comparison) + common_to_all(comparison) + "\n";
  if (!table.empty()) text += "\n" + table;
  return text + notes.text() + not_applicable(comparison);
}

}  // namespace driftless
