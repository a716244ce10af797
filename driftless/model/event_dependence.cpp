#include "driftless/model/event_dependence.hpp"

#include <algorithm>

namespace driftless {
namespace {

bool changes_at_events(const Model& model, ParamId id) { return model[id].role != Parameter::Role::Given; }

// Every node is visited once, even if several expressions share it.
std::vector<ParamId> numbers_in(const Model& model, const std::vector<NodeId>& expressions) {
  const Pool& pool = *model.pool;
  std::vector<bool> seen(pool.size(), false);
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (!seen[index(id)]) open.push_back(id);
    seen[index(id)] = true;
  };
  std::ranges::for_each(expressions, visit);
  std::vector<ParamId> found;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const Node node = pool[id];
    const ParamId parameter{static_cast<std::int32_t>(node.a)};
    if (node.op == Op::Parameter && changes_at_events(model, parameter)) found.push_back(parameter);
    NodeId buffer[3];
    for (const NodeId operand : pool.operands(id, buffer)) visit(operand);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<ParamId> event_numbers_in_equations(const Model& model) {
  std::vector<NodeId> residuals;
  for (const Equation& equation : model.equations) residuals.push_back(equation.residual);
  return numbers_in(model, residuals);
}

std::vector<ParamId> event_numbers_in_relations(const Model& model) {
  std::vector<NodeId> expressions;
  for (const Held& held : model.discrete.held) expressions.push_back(held.expression);
  for (const Sampling& sampling : model.discrete.samplings)
    expressions.insert(expressions.end(), {sampling.start, sampling.interval});
  std::vector<ParamId> found = numbers_in(model, expressions);
  for (const Held& held : model.discrete.held) found.push_back(held.held);
  std::ranges::sort(found);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  return found;
}

bool events_change_equations(const Model& model) {
  const DiscretePart& part = model.discrete;
  if (!part.reinits.empty()) return true;
  // Coefficients of inputs change as well, but at the few times at which a table has its rows.
  const std::vector<ParamId> numbers = event_numbers_in_equations(model);
  const auto is_in = [&](ParamId id) { return std::ranges::binary_search(numbers, id); };
  return std::ranges::any_of(part.held, [&](const Held& held) { return is_in(held.held); }) ||
         std::ranges::any_of(part.variables, [&](const DiscreteVariable& variable) {
           return is_in(variable.value) || is_in(variable.pre);
         });
}

}  // namespace driftless
