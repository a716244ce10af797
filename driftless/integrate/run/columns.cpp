#include "driftless/integrate/run/columns.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

Column column_of(const Reduced& reduced, Quantity q) {
  const Variable& variable = (*reduced.model)[q.variable];
  Column column;
  column.name = reduced.name(q);
  column.unit = variable.unit.empty() || q.order == 0 ? variable.unit
                : q.order == 1                        ? variable.unit + "/s"
                                                      : fmt::format("{}/s{}", variable.unit, q.order);
  column.description = variable.description;
  column.is_derivative = q.order > 0;
  return column;
}

}  // namespace

void describe_columns(const System& system, const DeliveredPoint& gate, double start, Solution& solution) {
  const Reduced& reduced = system.reduced();
  const Model& model = *reduced.model;
  for (const Quantity q : reduced.quantities) solution.columns.push_back(column_of(reduced, q));
  for (const InvariantOfModel& invariant : model.invariants) {
    solution.columns.push_back({.name = invariant.name, .description = "invariant"});
    solution.invariants.push_back(
        {.name = invariant.name, .line = model.sources->line_of(invariant.range), .at_time = start});
  }
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    if (parameter.role != Parameter::Role::Given) continue;
    solution.columns.push_back(
        {parameter.name, parameter.unit, parameter.description, false, true, system.parameters()[p]});
  }
  solution.bound = gate.bound();
  for (std::size_t k = 0; k < reduced.constraints.size(); ++k) {
    const Constraint& constraint = reduced.constraints[k];
    const Equation& equation = model[constraint.equation];
    solution.certificate.push_back({.constraint = equation.label,
                                    .line = model.sources->line_of(equation.range),
                                    .level = constraint.level,
                                    .text = equation.text,
                                    .at_time = start,
                                    .imposed = gate.is_imposed(k)});
  }
  solution.drift_levels = levels(solution.certificate);
}

void record_invariants(System& system, const System::Point& at, std::span<double> values, Solution& solution) {
  system.invariants_of_model(at, values);
  solution.values.insert(solution.values.end(), values.begin(), values.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    InvariantEntry& entry = solution.invariants[k];
    if (solution.points == 1) entry.start = values[k];
    entry.final_deviation = values[k] - entry.start;
    const double size = std::abs(entry.final_deviation);
    if (size > entry.max_deviation || std::isnan(size)) entry.max_deviation = size, entry.at_time = at.t;
  }
}

}  // namespace driftless
