#include "driftless/reduce/block_under_repair.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace driftless {

BlockUnderRepair::BlockUnderRepair(const Model& model, structure::Structure shape_of_model)
    : shape(std::move(shape_of_model)), derivative_(*model.pool) {
  state.model = std::make_shared<Model>(model);
  state.least.assign(state.model->variables.size(), 0);
  for (std::size_t i = 0; i < state.model->equations.size(); ++i)
    state.differentiations.push_back({{static_cast<int>(i), 0}});
  state.replaced.assign(state.model->equations.size(), false);
}

void BlockUnderRepair::look_at(structure::Block looked_at, bool with_present_values) {
  block = std::move(looked_at);
  with_values = with_present_values;
  set_points(shape.offsets);
  read_jacobian();
}

void BlockUnderRepair::set_points(const structure::Offsets& offsets) {
  points.clear();
  for (const unsigned seed : {11u, 12u, 13u, 14u}) points.emplace_back(*state.model, offsets, seed, !with_values);
}

void BlockUnderRepair::read_jacobian() {
  const int size = static_cast<int>(block.rows.size());
  std::map<int, int> place;
  for (int k = 0; k < size; ++k) place[index(block.cols[k])] = k;
  rows.assign(size, {});
  columns.assign(size, {});
  used_parameters_.clear();
  for (int k = 0; k < size; ++k) {
    const int i = index(block.rows[k]);
    for (const Partial& p : gradient(pool(), state.model->equations[i].residual)) {
      const int j = static_cast<int>(pool()[p.leaf].a), order = static_cast<int>(pool()[p.leaf].b);
      const auto at = place.find(j);
      if (at == place.end() || order != d(j) - c(i)) continue;
      const NodeId entry = with_values ? with_present_values(p.derivative) : p.derivative;
      rows[k].push_back({at->second, entry});
      columns[at->second].push_back({k, entry});
    }
  }
}

NodeId BlockUnderRepair::with_present_values(NodeId expression) {
  Substitution values(pool(), [&](NodeId leaf) -> std::optional<NodeId> {
    if (pool()[leaf].op != Op::Parameter) return {};
    used_parameters_.insert(static_cast<int>(pool()[leaf].a));
    return pool().constant(state.model->parameters[pool()[leaf].a].value);
  });
  return values(expression);
}

bool BlockUnderRepair::depends_on_highest(NodeId expression, int missing) const {
  return std::ranges::any_of(variables_of(pool(), expression), [&](NodeId leaf) {
    const int j = static_cast<int>(pool()[leaf].a);
    const auto is_here = [&](structure::Col col) { return index(col) == j; };
    return static_cast<int>(pool()[leaf].b) >= d(j) - missing && std::ranges::any_of(block.cols, is_here);
  });
}

void BlockUnderRepair::replace(int i, NodeId residual, const std::string& text) {
  Equation& equation = state.model->equations[i];
  if (!state.replaced[i]) {
    for (const NodeId leaf : variables_of(pool(), equation.residual)) {
      int& least = state.least[pool()[leaf].a];
      least = std::max(least, static_cast<int>(pool()[leaf].b));
    }
    state.model->replaced.push_back(equation);
    state.replaced[i] = true;
    equation.label += " combined";
  }
  equation.residual = residual;
  equation.text = text;
  equation.simplified.reset();
}

void BlockUnderRepair::use_parameters_of(int equation) {
  for (const NodeId node : nodes_of(pool(), state.model->equations[equation].residual))
    if (pool()[node].op == Op::Parameter) used_parameters_.insert(static_cast<int>(pool()[node].a));
}

void BlockUnderRepair::note_values_used() {
  if (!with_values) return;
  for (const int p : used_parameters_) state.model->parameters[p].structural = true;
}

}  // namespace driftless
