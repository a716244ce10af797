#include "driftless/taylor/shared_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "driftless/expr/calculus.hpp"

namespace driftless::taylor {
namespace {

// Does it take much longer than an operation, as a library function?
bool is_function(const Pool& pool, NodeId node) {
  const Node n = pool[node];
  if (n.op != Op::Pow) return n.op >= Op::Exp && n.op <= Op::Atanh;
  if (pool[n.operand(1)].op != Op::Constant) return true;
  const double exponent = pool.constant_value(n.operand(1));
  return exponent != std::floor(exponent) || std::abs(exponent) > 8.0;
}

// The stage that computes the last of the derivatives in an expression.
int last_stage_of(const Pool& pool, NodeId node, const std::vector<Unknown>& unknowns,
                  const std::vector<int>& unknown_of) {
  int stage = std::numeric_limits<int>::min();
  for (const NodeId leaf : variables_of(pool, node)) {
    const int unknown = unknown_of[pool[leaf].a];
    stage = std::max(stage, static_cast<int>(pool[leaf].b) - unknowns[unknown].d);
  }
  return stage;
}

NodeId with_replaced(Pool& pool, NodeId expression, NodeMap<NodeId>& replaced) {
  for (const NodeId node : nodes_of(pool, expression)) {
    if (replaced.contains(node)) continue;
    const Node n = pool[node];
    const auto operand = [&](int k) { return replaced.at(n.operand(k)); };
    switch (arity(n.op)) {
      case 0: replaced.insert(node, node); break;
      case 1: replaced.insert(node, pool.unary(n.op, operand(0))); break;
      case 2: replaced.insert(node, pool.binary(n.op, operand(0), operand(1))); break;
      default: replaced.insert(node, pool.if_else(operand(0), operand(1), operand(2)));
    }
  }
  return replaced.at(expression);
}

}  // namespace

void share_functions(Recurrences& result, Pool& pool, const std::vector<int>& unknown_of, FormulaInputs& inputs) {
  std::vector<std::size_t> readers{static_cast<std::size_t>(result.jacobian)};  // sources; others are added
  for (std::size_t s = 0; s < result.classes.size(); ++s)
    for (const std::size_t source : {result.value_residuals(s), result.factors(s)}) readers.push_back(source);
  std::map<int, std::vector<NodeId>> by_stage;
  std::set<NodeId> found;
  for (const std::size_t source : readers)
    for (const NodeId output : result.sources[source].outputs)
      for (const NodeId node : nodes_of(pool, output))
        if (is_function(pool, node) && found.insert(node).second)
          by_stage[last_stage_of(pool, node, result.system.unknowns, unknown_of)].push_back(node);
  if (found.empty()) return;
  NodeMap<NodeId> replaced;
  for (const auto& [stage, nodes] : by_stage) {
    const int group = static_cast<int>(result.functions.size());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      replaced.insert(nodes[k], inputs(InputKind::Function, group, static_cast<int>(k)));
    result.functions.push_back({stage, static_cast<int>(result.sources.size()), 0, static_cast<int>(nodes.size())});
    result.sources.push_back({"taylor functions", nodes});
  }
  for (const std::size_t source : readers)
    for (NodeId& output : result.sources[source].outputs) output = with_replaced(pool, output, replaced);
}

}  // namespace driftless::taylor
