#include "driftless/expr/activity.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace driftless {
namespace {

bool is_leaf(Op op) { return op <= Op::Local; }

// Does the expression change with time or with some variable? Stops at the first leaf that does.
bool changes(const Pool& pool, NodeId expression) {
  std::vector<NodeId> open{expression};
  NodeMap<bool> seen;
  NodeId buffer[3];
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const Op op = pool[id].op;
    if (op == Op::Variable || op == Op::Time || op == Op::Local) return true;
    for (const NodeId operand : pool.operands(id, buffer))
      if (seen.insert(operand)) open.push_back(operand);
  }
  return false;
}

// condition ? a : b, for truth values.
NodeId chosen(Pool& pool, NodeId condition, NodeId a, NodeId b) {
  if (a == b) return a;
  return pool.binary(Op::Or, pool.binary(Op::And, condition, a),
                     pool.binary(Op::And, pool.unary(Op::Not, condition), b));
}

struct Moving {
  NodeId node, when;
};

// The other operand of a factor that is constantly 0 does not count: 0*b, 0/b, 0^b.
NodeId of_product(Pool& pool, Op op, Moving a, Moving b) {
  const auto beside = [&](Moving factor, Moving other) {
    if (pool.is_constant(other.when, 1.0) || pool.is_constant(factor.when, 0.0)) return factor.when;
    const NodeId counts = pool.binary(Op::Or, other.when, pool.binary(Op::NotEqual, other.node, pool.zero()));
    return pool.binary(Op::And, factor.when, counts);
  };
  return pool.binary(Op::Or, op == Op::Mul ? beside(a, b) : a.when, beside(b, a));
}

}  // namespace

bool is_choice(Op op) { return op == Op::IfElse || op == Op::Min || op == Op::Max; }

Branches branches_of(Pool& pool, NodeId choice) {
  const Node node = pool[choice];
  const NodeId a = node.operand(0), b = node.operand(1);
  if (node.op == Op::IfElse) return {a, b, node.operand(2)};
  assert(node.op == Op::Min || node.op == Op::Max);
  const Op takes_first = !changes(pool, b) && changes(pool, a) ? Op::Less : Op::LessEqual;
  return {node.op == Op::Min ? pool.binary(takes_first, a, b) : pool.binary(takes_first, b, a), a, b};
}

bool may_be_steep(Op op) {
  switch (op) {
    case Op::Div:
    case Op::Pow:
    case Op::Sqrt:
    case Op::Log:
    case Op::Log10:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan2:
    case Op::Acosh:
    case Op::Atanh:
    case Op::Call: return true;
    default: return false;
  }
}

NodeId Activity::operator()(NodeId expression) {
  if (const NodeId* known = memo_.find(expression)) return *known;
  std::vector<NodeId> found{expression};
  NodeMap<bool> seen;
  seen.insert(expression);
  NodeId buffer[3];
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const NodeId operand : pool_.operands(found[i], buffer))
      if (!memo_.contains(operand) && seen.insert(operand)) found.push_back(operand);
  std::sort(found.begin(), found.end());
  for (const NodeId id : found) memo_[id] = of_node(id);
  return memo_.at(expression);
}

NodeId Activity::of_node(NodeId id) {
  const Op op = pool_[id].op;
  if (op == Op::Constant) return pool_.zero();
  if (is_leaf(op)) return of_leaf_(id);
  if (is_piecewise_constant(op)) return pool_.zero();
  if (is_choice(op)) {
    const Branches branches = branches_of(pool_, id);
    return chosen(pool_, branches.condition, memo_.at(branches.then), memo_.at(branches.otherwise));
  }
  if (op == Op::Mul || op == Op::Div || op == Op::Pow) {
    const NodeId a = pool_[id].operand(0), b = pool_[id].operand(1);
    return of_product(pool_, op, {a, memo_.at(a)}, {b, memo_.at(b)});
  }
  NodeId buffer[3];
  const auto operands = pool_.operands(id, buffer);
  const std::vector<NodeId> own(operands.begin(), operands.end());  // the pool may grow
  NodeId any = pool_.zero();
  for (const NodeId operand : own) any = pool_.binary(Op::Or, any, memo_.at(operand));
  return any;
}

NodeId where(Pool& pool, NodeId condition, NodeId value) { return pool.if_else(condition, value, pool.zero()); }

}  // namespace driftless
