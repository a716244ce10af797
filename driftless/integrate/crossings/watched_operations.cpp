#include "driftless/integrate/crossings/watched_operations.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

bool is_square_or_root(const Pool& pool, NodeId id) {
  const Node node = pool[id];
  if (node.op == Op::Pow)
    return pool.is_constant(node.operand(1)) && std::fmod(pool.constant_value(node.operand(1)), 2.0) == 0.0;
  return node.op == Op::Sqrt || node.op == Op::Exp || node.op == Op::Cosh || node.op == Op::Abs ||
         (node.op == Op::Mul && node.operand(0) == node.operand(1));
}

NodeId both(Pool& pool, NodeId a, NodeId b) {
  if (pool.is_constant(a, 1.0)) return b;
  return pool.is_constant(b, 1.0) || a == b ? a : pool.binary(Op::And, a, b);
}

NodeId either(Pool& pool, NodeId a, NodeId b) {
  if (pool.is_constant(a, 1.0) || a == b) return a;
  return pool.is_constant(b, 1.0) ? b : pool.binary(Op::Or, a, b);
}

}  // namespace

bool is_discrete_operation(Op op) {
  return op == Op::Less || op == Op::LessEqual || op == Op::Sign || op == Op::Floor || op == Op::Ceil;
}

bool may_be_watched(Op op) {
  return is_discrete_operation(op) || op == Op::IfElse || op == Op::Div || op == Op::Tan || op == Op::Pow ||
         op == Op::Abs || op == Op::Max || op == Op::Min;
}

std::vector<std::optional<NodeId>> explicit_values(const Model& model) {
  std::vector<std::optional<NodeId>> values(model.variables.size());
  const Pool& pool = *model.pool;
  for (const Equation& equation : model.equations) {
    const Node difference = pool[equation.residual];
    if (difference.op != Op::Sub) continue;
    for (const int side : {0, 1})
      if (const Node node = pool[difference.operand(side)]; node.op == Op::Variable && node.b == 0)
        values[node.a] = difference.operand(1 - side);
  }
  return values;
}

bool is_never_negative(const Pool& pool, const std::vector<std::optional<NodeId>>& values, NodeId sum) {
  std::vector<NodeId> terms{sum};
  std::vector<bool> seen(values.size(), false);
  while (!terms.empty()) {
    const NodeId id = terms.back();
    terms.pop_back();
    const Node node = pool[id];
    if (node.op == Op::Add) {
      terms.push_back(node.operand(0));
      terms.push_back(node.operand(1));
    } else if (node.op == Op::Variable && node.b == 0 && values[node.a] && !seen[node.a]) {
      seen[node.a] = true;
      terms.push_back(*values[node.a]);
    } else if (!is_square_or_root(pool, id) && !(pool.is_constant(id) && pool.constant_value(id) >= 0.0)) {
      return false;
    }
  }
  return true;
}

std::unordered_map<NodeId, NodeId> conditions_of_use(Pool& pool, const Model& model) {
  std::unordered_map<NodeId, NodeId> of_all;
  for (const Equation& equation : model.equations) {
    const std::vector<NodeId> nodes = nodes_of(*model.pool, equation.residual);
    const auto is_if = [&](NodeId id) { return pool[id].op == Op::IfElse; };
    const bool branches = std::ranges::any_of(nodes, is_if);
    std::unordered_map<NodeId, NodeId> own;
    const auto add = [&](std::unordered_map<NodeId, NodeId>& map, NodeId id, NodeId condition) {
      const auto [place, fresh] = map.try_emplace(id, condition);
      if (!fresh) place->second = either(pool, place->second, condition);
    };
    if (branches) own.emplace(equation.residual, pool.one());
    for (std::size_t k = nodes.size(); k-- > 0 && branches;) {  // users before their operands
      const NodeId used = own.at(nodes[k]);
      const Node node = pool[nodes[k]];
      NodeId buffer[3];
      const std::span<const NodeId> shared = pool.operands(nodes[k], buffer);
      const std::vector<NodeId> operands(shared.begin(), shared.end());  // the pool grows meanwhile
      for (const NodeId operand : operands)
        if (node.op != Op::IfElse) add(own, operand, used);
      if (node.op != Op::IfElse) continue;
      const NodeId condition = node.operand(0);
      add(own, condition, used);
      add(own, node.operand(1), both(pool, used, condition));
      add(own, node.operand(2), both(pool, used, pool.unary(Op::Not, condition)));
    }
    for (const NodeId id : nodes)
      if (may_be_watched(pool[id].op)) add(of_all, id, branches ? own.at(id) : pool.one());
  }
  return of_all;
}

}  // namespace driftless
