#include "driftless/initialize/cure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/initialize/explain.hpp"
#include "driftless/initialize/findings.hpp"
#include "driftless/initialize/strategies.hpp"

namespace driftless {
namespace {

constexpr double nothing = 1e-60;  // an iteration towards 0 ends there or below; no quantity is so small
constexpr int most_conflicts = 8;

// A number as it is written in the text: without the last digits, which are rounding, and without the -0 of a
// projection.
std::string digits(double value) { return fmt::format("{:.12g}", std::abs(value) < nothing ? 0.0 : value); }
double as_written(double value) { return std::stod(digits(value)); }

struct Changes {
  struct Held {
    Quantity quantity;
    double value;
  };
  std::vector<InitialRow> removed;  // conditions
  std::vector<Held> held;           // new conditions
  std::vector<Held> starts;         // other starts, not fixed
};

InitialProblem without(const InitialProblem& problem, int row) {
  InitialProblem rest = problem;
  rest.rows.erase(rest.rows.begin() + row);
  rest.gradients.erase(rest.gradients.begin() + row);
  --rest.conditions;
  return rest;
}

// How far the quantity of a fixed start is from it, and an initial equation from being met by its quantities: relative
// to their values.
double way_of(const Reduced& reduced, const InitialProblem& problem, int row, const FoundStart& found, double t) {
  InitialRows rows(*reduced.model, problem, t, {{row}});
  rows.set_values(found.values);
  double slope = 0.0;
  for (const InitialRows::Entry& entry : rows.jacobian(0))
    slope = std::max(slope,
                     std::abs(entry.value) * (std::abs(found.values[entry.col]) + problem.unknowns[entry.col].nominal));
  return std::abs(rows.residual(0)[0]) / (slope > 0.0 ? slope : 1.0);
}

// The model with the changes, for the proof that they help.
Reduced changed(const Reduced& reduced, const Changes& changes) {
  auto model = std::make_shared<Model>(*reduced.model);
  std::vector<int> initial;
  for (const InitialRow& row : changes.removed) {
    if (row.kind == InitialRow::Kind::Fixed) model->variables[row.source].fixed = false;
    if (row.kind == InitialRow::Kind::Initial) initial.push_back(row.source);
  }
  std::ranges::sort(initial, std::greater<>());
  for (const int i : initial) model->initial_equations.erase(model->initial_equations.begin() + i);
  for (const Changes::Held& start : changes.starts)
    model->variables[index(start.quantity.variable)].start = start.value;
  Pool& pool = *model->pool;
  for (const Changes::Held& held : changes.held) {
    const auto [variable, order] = held.quantity;
    if (order == 0) {
      model->variables[index(variable)].start = held.value;
      model->variables[index(variable)].fixed = true;
    } else {
      Equation equation;
      equation.residual = pool.sub(pool.variable(variable, order), pool.constant(held.value));
      model->initial_equations.push_back(std::move(equation));
    }
  }
  Reduced result = reduced;
  result.model = std::move(model);
  return result;
}

bool is_cured(const Reduced& model, double t, const LeadToRows& lead) {
  Diagnostics diagnostics;
  const InitialProblem problem = make_initial_problem(model, diagnostics);
  if (diagnostics.has_errors() || problem.conditions != problem.degrees_of_freedom) return false;
  const FoundStart found = seek_start(model, problem, t, lead);
  return found.solved && found.plan->surplus.empty() && moved_starts(problem, found.values).empty();
}

// Adds the conditions for held quantities and the starts that moved.
void add_found(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found, Changes& changes) {
  const Model& model = *reduced.model;
  const auto is_users = [&](const InitialUnknown& unknown) {
    return unknown.parameter < 0 && !model[unknown.quantity.variable].auxiliary;
  };
  std::vector<int> held;
  for (int k = 0; k < static_cast<int>(problem.unknowns.size()); ++k)
    if (found.plan->row_of[k] < 0 && problem.unknowns[k].is_candidate() && is_users(problem.unknowns[k]))
      held.push_back(k);
  for (const int k : held) changes.held.push_back({problem.unknowns[k].quantity, as_written(found.values[k])});
  for (const int k : moved_starts(problem, found.values))
    if (is_users(problem.unknowns[k]) && std::ranges::find(held, k) == held.end())
      changes.starts.push_back({problem.unknowns[k].quantity, as_written(found.values[k])});
}

class Writer {
 public:
  explicit Writer(const Reduced& reduced) : reduced_(reduced) {}

  void removed(const InitialRow& condition, std::vector<StartReport::Line>& lines) const {
    const bool fixed = condition.kind == InitialRow::Kind::Fixed;
    lines.push_back({StartReport::Line::Kind::Removed,
                     fixed ? fmt::format("fixed = true of {}", reduced_.model->variables[condition.source].name)
                           : describe(reduced_, condition),
                     fixed ? reduced_.model->variables[condition.source].range
                           : reduced_.model->initial_equations[condition.source].range,
                     "the other conditions and the equations leave no freedom for it"});
  }

  void changes(const Changes& changes, std::vector<StartReport::Line>& lines) const {
    for (const Changes::Held& held : changes.held) {
      const Variable& variable = (*reduced_.model)[held.quantity.variable];
      const std::string name = reduced_.name(held.quantity);
      if (held.quantity.order == 0)
        lines.push_back({StartReport::Line::Kind::Modifier,
                         fmt::format("{}(start = {}, fixed = true)", name, digits(held.value)), variable.range,
                         !variable.start                 ? "no start was given"
                         : *variable.start == held.value ? "was not fixed"
                                                         : fmt::format("was {}", digits(*variable.start))});
      else
        lines.push_back({StartReport::Line::Kind::InitialEquation,
                         fmt::format("{} = {}", name, digits(held.value)),
                         {},
                         "no condition was given"});
    }
    for (const Changes::Held& start : changes.starts) {
      const Variable& variable = (*reduced_.model)[start.quantity.variable];
      lines.push_back({StartReport::Line::Kind::Modifier,
                       fmt::format("{}(start = {})", reduced_.name(start.quantity), digits(start.value)),
                       variable.range, fmt::format("was {}", digits(variable.start.value_or(0.0)))});
    }
  }

 private:
  const Reduced& reduced_;
};

// The best condition to drop: the one whose quantity moves least. Nothing if dropping a single condition does not help.
struct Release {
  int row;
  InitialProblem rest;
  FoundStart found;
};
std::optional<Release> best_release(const Reduced& reduced, const InitialProblem& problem,
                                    const std::vector<int>& conflict, double t, const LeadToRows& lead) {
  std::optional<Release> best;
  double shortest = 0.0;
  for (const int row : conflict) {
    InitialProblem rest = without(problem, row);
    FoundStart found = seek_start(reduced, rest, t, lead);
    if (!found.solved) continue;
    const double way = way_of(reduced, problem, row, found, t);
    if (best && way >= shortest) continue;
    shortest = way;
    best = Release{row, std::move(rest), std::move(found)};
  }
  return best;
}

// A start that was fixed becomes one that agrees.
void add_released(const InitialProblem& problem, const std::vector<double>& values, const InitialRow& row,
                  Changes& changes) {
  if (row.kind != InitialRow::Kind::Fixed) return;
  const Quantity own{VarId{row.source}, 0};
  const auto unknown = std::ranges::find(problem.unknowns, own, &InitialUnknown::quantity);
  const auto known = [&](const Changes::Held& change) { return change.quantity == own; };
  if (unknown == problem.unknowns.end() || std::ranges::any_of(changes.starts, known) ||
      std::ranges::any_of(changes.held, known))
    return;
  const double value = as_written(values[unknown - problem.unknowns.begin()]);
  if (value != unknown->guess) changes.starts.push_back({own, value});
}

// The problem with fewer conditions, and its start.
struct Relaxed {
  InitialProblem problem;
  FoundStart found;
  std::vector<InitialRow> removed;

  void remove(int row) {
    removed.push_back(problem.rows[row]);
    problem = without(problem, row);
  }
};

// One condition of each conflict is given up: where no single one is enough, there are several conflicts, and of all
// but the last the condition that was written last.
bool resolve_conflicts(const Reduced& reduced, std::vector<int> conflict, double t, const LeadToRows& lead,
                       Relaxed& relaxed) {
  for (int k = 0; k < most_conflicts && !conflict.empty(); ++k) {
    if (auto release = best_release(reduced, relaxed.problem, conflict, t, lead)) {
      relaxed.remove(release->row);
      relaxed.found = std::move(release->found);
      return true;
    }
    relaxed.remove(std::ranges::max(conflict));
    conflict = smallest_conflict(reduced, relaxed.problem, t);
  }
  return false;
}

// Conditions that follow from others are given up, the last one of those that say the same.
void remove_repetitions(const Reduced& reduced, double t, const LeadToRows& lead, Relaxed& relaxed) {
  for (int k = 0; k < most_conflicts && !relaxed.found.plan->surplus.empty(); ++k) {
    int last = -1;
    for (const std::vector<int>& circuit : repetitions_in(reduced, relaxed.problem, relaxed.found, t))
      for (const int row : circuit)
        if (relaxed.problem.rows[row].kind != InitialRow::Kind::Equation) last = std::max(last, row);
    if (last < 0) return;
    Relaxed next = relaxed;
    next.remove(last);
    next.found = seek_start(reduced, next.problem, t, lead);
    if (!next.found.solved) return;
    relaxed = std::move(next);
  }
}

Changes changes_for(const Reduced& reduced, const Relaxed& relaxed) {
  Changes changes{.removed = relaxed.removed, .held = {}, .starts = {}};
  add_found(reduced, relaxed.problem, relaxed.found, changes);
  for (const InitialRow& row : relaxed.removed) add_released(relaxed.problem, relaxed.found.values, row, changes);
  return changes;
}

}  // namespace

void find_cure(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found,
               const std::vector<int>& conflict, double t, const LeadToRows& lead, StartReport& report) {
  Relaxed relaxed{.problem = problem, .found = found, .removed = {}};
  if (!found.solved && !resolve_conflicts(reduced, conflict, t, lead, relaxed)) return;
  Changes changes = changes_for(reduced, relaxed);
  report.cure_holds = is_cured(changed(reduced, changes), t, lead);
  if (!report.cure_holds) {
    remove_repetitions(reduced, t, lead, relaxed);
    Changes more = changes_for(reduced, relaxed);
    if (is_cured(changed(reduced, more), t, lead)) changes = std::move(more), report.cure_holds = true;
  }
  const Writer writer(reduced);
  for (const InitialRow& row : changes.removed) writer.removed(row, report.cure);
  writer.changes(changes, report.cure);
}

}  // namespace driftless
