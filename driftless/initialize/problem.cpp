#include "driftless/initialize/problem.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// A guess nobody gave moves before one that was given. What is highest in its variable, multipliers and accelerations,
// follows from the rest and moves first of all: positions and velocities are not bent to keep a force near zero.
constexpr double reach_of_default = 1e2;
constexpr double reach_of_highest = 1e4;

}  // namespace

InitialProblem make_initial_problem(const Reduced& reduced, Diagnostics& diagnostics) {
  const Model& model = *reduced.model;
  Pool& pool = *model.pool;
  const std::vector<int>&c = reduced.offsets.c, &d = reduced.offsets.d;
  InitialProblem problem;

  // How many levels beyond the reduction are needed? In an implicit system y' is determined only by the derivative of
  // the equations.
  int extra = reduced.implicit ? 1 : 0;
  for (const Equation& equation : model.initial_equations)
    for (const NodeId leaf : variables_of(pool, equation.residual)) {
      const int above = static_cast<int>(pool[leaf].b) - d[pool[leaf].a];
      if (above > most_extra_levels)
        diagnostics.error(
            equation.range,
            fmt::format(
                "{} is {} orders above the highest derivative that the equations determine; at most {} are supported",
                derivative_name(model.variables[pool[leaf].a].name, static_cast<int>(pool[leaf].b)), above,
                most_extra_levels));
      extra = std::max(extra, std::min(above, most_extra_levels));
    }

  const auto add_unknown = [&](Quantity q) {
    const Variable& variable = model[q.variable];
    InitialUnknown unknown;
    unknown.quantity = q;
    unknown.nominal = variable.nominal;
    unknown.given = q.order == 0 && variable.start.has_value();
    unknown.guess = unknown.given ? *variable.start : 0.0;
    if (q.order == 0 && !unknown.given) unknown.guess = std::clamp(0.0, variable.min, variable.max);
    const bool highest = q.order >= d[index(q.variable)];
    unknown.reach = variable.nominal * (unknown.given ? 1.0 : highest ? reach_of_highest : reach_of_default);
    problem.unknowns.push_back(unknown);
  };
  for (const Quantity q : reduced.quantities)
    if (reduced.place(q) != Place::Defined) add_unknown(q);
  for (int k = 1; k <= extra; ++k)
    for (std::size_t j = 0; j < d.size(); ++j) add_unknown({VarId{static_cast<int>(j)}, d[j] + k});

  // A start given for an alias is a guess for what it stands for.
  std::map<Quantity, std::size_t> at;
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) at[problem.unknowns[k].quantity] = k;
  for (const Definition& definition : reduced.definitions) {
    const Variable& variable = model[definition.quantity.variable];
    if (definition.quantity.order != 0 || !variable.start) continue;
    NodeId value = definition.value;
    double sign = 1.0;
    if (pool[value].op == Op::Neg) value = pool[value].operand(0), sign = -1.0;
    if (pool[value].op != Op::Variable) continue;
    const auto found = at.find({VarId{static_cast<int>(pool[value].a)}, static_cast<int>(pool[value].b)});
    if (found == at.end() || problem.unknowns[found->second].given) continue;
    InitialUnknown& unknown = problem.unknowns[found->second];
    unknown.guess = sign * *variable.start;
    unknown.given = true;
    unknown.reach = unknown.nominal;
  }

  Substitution substitute(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    if (pool[leaf].op != Op::Variable) return {};
    const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
    if (q.order > d[index(q.variable)] || reduced.place(q) != Place::Defined) return {};
    return reduced.value_of(q);
  });
  TimeDerivative derivative(pool);
  for (const DerivedEquation& row : reduced.rows)
    problem.rows.push_back({InitialRow::Kind::Equation, row.residual, index(row.equation), row.level});
  // The rates at the start follow from the top level of every equation, of those too that the run does without.
  std::vector<int> top(c.size(), 0);
  for (const DerivedEquation& row : reduced.rows)
    top[index(row.equation)] = std::max(top[index(row.equation)], row.level);
  for (const Definition& definition : reduced.definitions)
    top[index(definition.equation)] = std::max(top[index(definition.equation)], definition.level);
  for (std::size_t i = 0; i < c.size(); ++i)
    if (top[i] < c[i])
      problem.rows.push_back({InitialRow::Kind::Equation, substitute(derivative(model.equations[i].residual, c[i])),
                              static_cast<int>(i), c[i]});
  for (int k = 1; k <= extra; ++k)
    for (std::size_t i = 0; i < c.size(); ++i)
      problem.rows.push_back({InitialRow::Kind::Equation, substitute(derivative(model.equations[i].residual, c[i] + k)),
                              static_cast<int>(i), c[i] + k});
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    const Variable& variable = model.variables[j];
    if (!variable.fixed) continue;
    const NodeId value = reduced.value_of({VarId{static_cast<int>(j)}, 0});
    problem.rows.push_back({InitialRow::Kind::Fixed, pool.sub(value, pool.constant(variable.start.value_or(0.0))),
                            static_cast<int>(j), 0});
  }
  for (std::size_t i = 0; i < model.initial_equations.size(); ++i)
    problem.rows.push_back(
        {InitialRow::Kind::Initial, substitute(model.initial_equations[i].residual), static_cast<int>(i), 0});

  for (const InitialRow& row : problem.rows) problem.conditions += row.kind != InitialRow::Kind::Equation;
  for (const int k : d) problem.degrees_of_freedom += k;
  for (const int k : c) problem.degrees_of_freedom -= k;
  return problem;
}

std::string describe(const Reduced& reduced, const InitialRow& row) {
  const Model& model = *reduced.model;
  const auto times = [](int level) {
    return level == 0   ? std::string()
           : level == 1 ? " (differentiated once)"
           : level == 2 ? " (differentiated twice)"
                        : fmt::format(" (differentiated {} times)", level);
  };
  switch (row.kind) {
    case InitialRow::Kind::Equation: {
      const Equation& equation = model.equations[row.source];
      return fmt::format("{}: {}{}", equation.label, equation.text, times(row.level));
    }
    case InitialRow::Kind::Fixed: {
      const Variable& variable = model.variables[row.source];
      return fmt::format("the fixed start {} = {}", variable.name, variable.start.value_or(0.0));
    }
    case InitialRow::Kind::Initial: {
      const Equation& equation = model.initial_equations[row.source];
      return fmt::format("initial equation {}: {}", equation.label, equation.text);
    }
  }
  return {};
}

}  // namespace driftless
