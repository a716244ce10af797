#include "driftless/events/start_guess.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "driftless/events/branch_search.hpp"
#include "driftless/events/order.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/reduce/repair.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr int most_modes = 2000;  // that are tried until one is regular

// For each equation: places of the parameters that are true or false.
std::vector<std::vector<std::size_t>> truths_in_equations(const Model& model) {
  std::vector<bool> is_truth(model.parameters.size(), false);
  for (const Held& held : model.discrete.held) {
    const Op op = (*model.pool)[held.expression].op;
    is_truth[static_cast<std::size_t>(index(held.held))] = op == Op::Less || op == Op::LessEqual;
  }
  for (const DiscreteVariable& variable : model.discrete.variables)
    is_truth[static_cast<std::size_t>(index(variable.value))] = variable.type == DiscreteType::Boolean;
  std::vector<std::vector<std::size_t>> places;
  for (const Equation& equation : model.equations) {
    auto& of_equation = places.emplace_back();
    for (const NodeId id : nodes_of(*model.pool, equation.residual))
      if (const Node& node = (*model.pool)[id]; node.op == Op::Parameter && is_truth[node.a])
        of_equation.push_back(node.a);
  }
  return places;
}

// Left limits that initial equations imply. With active = true given at the start, and the equation active = pre(next),
// which holds at the start as at every event, pre(next) is the unknown (Modelica 3.6, Section 8.6). Values are
// propagated along equations of the form v = w, v and w being discrete variables or their left limits.
void take_implied_left_limits(const Model& model, std::vector<double>& values) {
  const DiscretePart& part = model.discrete;
  std::vector<std::optional<double>> known(model.parameters.size());
  std::vector<std::pair<std::size_t, std::size_t>> equal;
  const auto leaf = [&](NodeId side) -> std::optional<std::size_t> {
    if (!discrete_variable_of(model, side)) return std::nullopt;
    return static_cast<std::size_t>((*model.pool)[side].a);
  };
  for (const auto* equations : {&part.equations, &part.initial_equations})
    for (const DiscreteEquation& equation : *equations) {
      const auto left = leaf(equation.left), right = leaf(equation.right);
      if (left && right) equal.emplace_back(*left, *right);
      const NodeId other = left ? equation.right : equation.left;
      if ((left || right) && equations == &part.initial_equations && model.pool->is_constant(other))
        known[left ? *left : *right] = model.pool->constant_value(other);
    }
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [a, b] : equal) {
      if (known[a].has_value() == known[b].has_value()) continue;
      (known[a] ? known[b] : known[a]) = known[a] ? known[a] : known[b];
      grows = true;
    }
  }
  for (const DiscreteVariable& variable : part.variables) {
    const auto& implied = known[static_cast<std::size_t>(index(variable.pre))];
    if (implied && !variable.fixed) values[static_cast<std::size_t>(index(variable.pre))] = *implied;
  }
}

}  // namespace

std::vector<double> guessed_parameters(const Model& model, double t) {
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.value);
  for (const DiscreteVariable& variable : model.discrete.variables)
    for (const ParamId id : {variable.value, variable.pre})
      values[static_cast<std::size_t>(index(id))] = variable.start;
  take_implied_left_limits(model, values);
  const auto leaf_value = [&](NodeId leaf) {
    const Node node = (*model.pool)[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return values[node.a];
    return node.b == 0 ? model.variables[node.a].start.value_or(0.0) : 0.0;
  };
  for (const Held& held : model.discrete.held) {
    const double guess = evaluate(*model.pool, held.expression, leaf_value);
    values[static_cast<std::size_t>(index(held.held))] = std::isfinite(guess) ? guess : 0.0;
  }
  return values;
}

Excess excess_of(const std::shared_ptr<const Model>& mode) {
  const auto result = structure::analyze(signature_of(*mode));
  Excess excess;
  if (const auto* singular = std::get_if<structure::Singular>(&result)) {
    excess.size = std::max(static_cast<int>(mode->equations.size()) - singular->matching.size, 1);
    for (const structure::Row row : singular->parts.over_rows) excess.equations.push_back(index(row));
    return excess;
  }
  const auto& shape = std::get<structure::Structure>(result);
  const auto hidden = find_hidden_singularity(*mode, shape);
  if (!hidden || repair(mode, shape, *hidden).repair) return excess;
  excess.size = 1;
  for (const structure::Row row : shape.blocks[hidden->block].rows) excess.equations.push_back(index(row));
  return excess;
}

std::vector<std::vector<std::size_t>> held_in_equations(const Model& model) {
  Diagnostics diagnostics;
  const DiscreteOrder order = order_of(model, diagnostics);
  std::vector<std::set<std::size_t>> by_parameter(model.parameters.size());
  const auto add = [&](NodeId expression, std::set<std::size_t>& all) {
    for (const NodeId id : nodes_of(*model.pool, expression))
      if (const Node& node = (*model.pool)[id]; node.op == Op::Parameter)
        all.insert(by_parameter[node.a].begin(), by_parameter[node.a].end());
  };
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k)
    by_parameter[static_cast<std::size_t>(index(model.discrete.held[k].held))].insert(k);
  for (const DiscreteAssignment& assignment : order.assignments)
    add(assignment.value,
        by_parameter[static_cast<std::size_t>(index(model.discrete.variables[assignment.variable].value))]);
  std::vector<std::vector<std::size_t>> result;
  for (const Equation& equation : model.equations) {
    std::set<std::size_t> all;
    add(equation.residual, all);
    result.emplace_back(all.begin(), all.end());
  }
  return result;
}

std::optional<std::vector<double>> regular_guess(Modes& modes, const Model& model, const std::vector<double>& values) {
  if (!modes.change()) return values;
  const auto occurrences = truths_in_equations(model);
  std::set<std::size_t> truths;
  for (const auto& of_equation : occurrences) truths.insert(of_equation.begin(), of_equation.end());
  BranchSearch search(values, {truths.begin(), truths.end()}, most_modes);
  while (auto tried = search.next()) {
    const Excess excess = excess_of(modes.model(modes.at(*tried)));
    if (excess.size == 0) return tried;
    std::vector<std::size_t> involved;
    for (const int equation : excess.equations) {
      const auto& of_equation = occurrences[static_cast<std::size_t>(equation)];
      involved.insert(involved.end(), of_equation.begin(), of_equation.end());
    }
    search.has_no_solution(excess.size, involved);
  }
  return {};
}

Model with_parameters(const Model& model, const std::vector<double>& values) {
  Model result = model;
  for (std::size_t p = 0; p < values.size(); ++p) result.parameters[p].value = values[p];
  return result;
}

}  // namespace driftless
