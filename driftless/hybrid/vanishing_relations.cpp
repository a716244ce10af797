#include "driftless/hybrid/vanishing_relations.hpp"

#include "driftless/expr/node_map.hpp"

namespace driftless {

std::vector<bool> vanishing_relations(const Model& mode) {
  const std::shared_ptr<Pool> pool = growable(mode.pool);
  NodeMap<bool> residuals;
  for (const Equation& equation : mode.equations) residuals.insert(equation.residual);
  std::vector<bool> vanishes;
  for (const Held& held : mode.discrete.held) {
    const Node node = (*pool)[held.expression];
    const bool is_relation = node.op == Op::Less || node.op == Op::LessEqual;
    vanishes.push_back(is_relation && (residuals.contains(pool->sub(node.operand(0), node.operand(1))) ||
                                       residuals.contains(pool->sub(node.operand(1), node.operand(0)))));
  }
  return vanishes;
}

}  // namespace driftless
