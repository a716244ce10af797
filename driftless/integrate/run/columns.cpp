#include "driftless/integrate/run/columns.hpp"

#include <cmath>
#include <memory>

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

// Of a run whose numbers are still to be filled in.
struct Described {
  std::vector<Column> columns;
  std::vector<int> parameters;  // of the last columns
  std::vector<InvariantEntry> invariants;
  std::vector<CertificateEntry> certificate;
};

Described described(const Reduced& reduced) {
  const Model& model = *reduced.model;
  Described result;
  for (const Quantity q : reduced.quantities) result.columns.push_back(column_of(reduced, q));
  for (const InvariantOfModel& invariant : model.invariants) {
    result.columns.push_back({.name = invariant.name, .description = "invariant"});
    result.invariants.push_back({.name = invariant.name, .line = model.sources->line_of(invariant.range)});
  }
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    if (parameter.role != Parameter::Role::Given) continue;
    result.columns.push_back({parameter.name, parameter.unit, parameter.description, false, true});
    result.parameters.push_back(static_cast<int>(p));
  }
  for (const Constraint& constraint : reduced.constraints) {
    const Equation& equation = model[constraint.equation];
    result.certificate.push_back({.constraint = equation.label,
                                  .line = model.sources->line_of(equation.range),
                                  .level = constraint.level,
                                  .text = equation.text});
  }
  return result;
}

}  // namespace

void describe_columns(const System& system, const DeliveredPoint& gate, double start, Solution& solution) {
  const auto known = system.compiled().part<Described>(
      {}, [&] { return std::make_shared<const Described>(described(system.reduced())); });
  solution.columns = known->columns;
  Column* of_parameter = solution.columns.data() + solution.columns.size() - known->parameters.size();
  for (const int p : known->parameters) (of_parameter++)->parameter_value = system.parameters()[p];
  solution.invariants = known->invariants;
  for (InvariantEntry& entry : solution.invariants) entry.at_time = start;
  solution.bound = gate.bound();
  solution.certificate = known->certificate;
  for (std::size_t k = 0; k < solution.certificate.size(); ++k) {
    solution.certificate[k].at_time = start;
    solution.certificate[k].imposed = gate.is_imposed(k);
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
