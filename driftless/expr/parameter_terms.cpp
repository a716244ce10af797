#include "driftless/expr/parameter_terms.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless {

NodeId ParameterTerms::operator()(NodeId expression) {
  for (const NodeId id : nodes_of(pool_, expression)) {
    if (seen_.contains(id)) continue;
    NodeId buffer[3];
    const std::span<const NodeId> list = pool_.operands(id, buffer);
    const std::vector<NodeId> operands(list.begin(), list.end());
    const Op op = pool_[id].op;
    if (operands.empty()) {
      seen_[id] = {id, op == Op::Constant || op == Op::Parameter};
      continue;
    }
    const bool fixed = std::ranges::all_of(operands, [&](NodeId operand) { return seen_.at(operand).fixed; });
    std::vector<NodeId> after = operands;
    if (!fixed)
      for (NodeId& operand : after) operand = used(operand);
    seen_[id] = {after == operands ? id : with_operands(pool_, id, after), fixed};
  }
  return used(expression);
}

// The replacement of an operand of a varying node.
NodeId ParameterTerms::used(NodeId operand) {
  const Seen& seen = seen_.at(operand);
  if (!seen.fixed || pool_[operand].op == Op::Constant || pool_[operand].op == Op::Parameter) return seen.replaced;
  if (const NodeId* known = variable_of_.find(operand)) return *known;
  const NodeId variable = pool_.variable(VarId{index(first_) + static_cast<int>(terms_.size())});
  variable_of_.insert(operand, variable);
  terms_.push_back(operand);
  return variable;
}

}  // namespace driftless
