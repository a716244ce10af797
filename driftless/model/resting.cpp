#include "driftless/model/resting.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

// The variables of an equation; nothing if something else in it changes with time.
std::optional<std::vector<std::size_t>> still_variables(const Model& model, NodeId residual) {
  const Pool& pool = *model.pool;
  std::vector<std::size_t> variables;
  const bool changes = any_node(pool, residual, [&](NodeId id) {
    const Node& node = pool[id];
    if (node.op == Op::Parameter) {
      const Parameter::Role role = model.parameters[node.a].role;
      return role != Parameter::Role::Given && role != Parameter::Role::Held;
    }
    if (node.op == Op::Variable) variables.push_back(node.a);
    return node.op == Op::Time || (node.op == Op::Variable && node.b > 0);
  });
  return changes ? std::nullopt : std::optional(std::move(variables));
}

}  // namespace

std::vector<bool> resting_variables(const Model& model) {
  std::vector<bool> resting(model.variables.size(), false);
  std::vector<std::vector<std::size_t>> equations, used_by(model.variables.size());
  std::vector<std::size_t> open;  // equations with at most one variable left
  for (const Equation& equation : model.equations)
    if (auto variables = still_variables(model, equation.residual)) {
      for (const std::size_t j : *variables) used_by[j].push_back(equations.size());
      if (variables->size() == 1) open.push_back(equations.size());
      equations.push_back(std::move(*variables));
    }
  std::vector<std::size_t> left(equations.size());
  std::ranges::transform(equations, left.begin(), [](const auto& variables) { return variables.size(); });
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    const auto found = std::ranges::find_if(equations[i], [&](std::size_t j) { return !resting[j]; });
    if (found == equations[i].end()) continue;
    resting[*found] = true;
    for (const std::size_t user : used_by[*found])
      if (--left[user] == 1) open.push_back(user);
  }
  return resting;
}

}  // namespace driftless
