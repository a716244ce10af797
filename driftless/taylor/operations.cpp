#include "driftless/taylor/operations.hpp"

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless::taylor {
namespace {

// Trigonometric and hyperbolic functions and their inverses are contiguous in Op.
bool has_companion(Op op) { return op >= Op::Sin && op <= Op::Atanh; }

}  // namespace

bool Operations::is_constant(NodeId node) {
  if (const bool* known = constant_.find(node)) return *known;
  for (const NodeId n : nodes_of(pool_, node)) {
    if (constant_.contains(n)) continue;
    const Op op = pool_[n].op;
    bool constant = op != Op::Variable && op != Op::Time;
    NodeId buffer[3];
    for (const NodeId operand : pool_.operands(n, buffer)) constant = constant && constant_.at(operand);
    constant_.insert(n, constant);
  }
  return constant_.at(node);
}

double Operations::number(NodeId node) const {
  return evaluate(pool_, node, [&](NodeId leaf) { return model_[ParamId{static_cast<int>(pool_[leaf].a)}].value; });
}

Form Operations::form_of(NodeId node) {
  const Node n = pool_[node];
  if (is_constant(node) || is_piecewise_constant(n.op)) return Form::Constant;
  switch (n.op) {
    case Op::Time:
    case Op::Variable: return Form::Leaf;
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Log10:
    case Op::Abs:
    case Op::Min:
    case Op::Max:
    case Op::IfElse: return Form::Linear;
    case Op::Mul: return is_constant(n.operand(0)) || is_constant(n.operand(1)) ? Form::Linear : Form::Nonlinear;
    case Op::Div: return is_constant(n.operand(1)) ? Form::Linear : Form::Nonlinear;
    case Op::Pow: return is_constant(n.operand(1)) ? Form::Nonlinear : Form::Linear;  // exp(b log a)
    default: return Form::Nonlinear;
  }
}

std::vector<NodeId> Operations::ingredients(NodeId node) {
  const Node n = pool_[node];
  const NodeId a = n.operand(0), b = n.operand(1);
  if (has_companion(n.op) && n.op != Op::Atan2) return {a, companion(node)};
  switch (n.op) {
    case Op::Neg:
    case Op::Abs:
    case Op::Exp:
    case Op::Sqrt:
    case Op::Log: return {a};
    case Op::Log10: return {pool_.unary(Op::Log, a)};
    case Op::IfElse: return {b, n.operand(2)};
    case Op::Atan2: return {a, b, companion(node)};
    case Op::Pow:
      if (!is_constant(b)) return {general_power(node)};
      if (const auto parts = power_parts(node)) return {parts->first, parts->second};
      return {a};
    default: return {a, b};
  }
}

NodeId Operations::companion(NodeId node) {
  const Node n = pool_[node];
  const NodeId a = n.operand(0);
  const NodeId one = pool_.one();
  switch (n.op) {
    case Op::Sin: return pool_.unary(Op::Cos, a);
    case Op::Cos: return pool_.unary(Op::Sin, a);
    case Op::Sinh: return pool_.unary(Op::Cosh, a);
    case Op::Cosh: return pool_.unary(Op::Sinh, a);
    case Op::Tan: return pool_.add(one, pool_.mul(node, node));
    case Op::Tanh: return pool_.sub(one, pool_.mul(node, node));
    case Op::Log: return a;
    case Op::Asin:
    case Op::Acos: return pool_.unary(Op::Sqrt, pool_.sub(one, pool_.mul(a, a)));
    case Op::Atan: return pool_.add(one, pool_.mul(a, a));
    case Op::Asinh: return pool_.unary(Op::Sqrt, pool_.add(one, pool_.mul(a, a)));
    case Op::Acosh: return pool_.unary(Op::Sqrt, pool_.sub(pool_.mul(a, a), one));
    case Op::Atanh: return pool_.sub(one, pool_.mul(a, a));
    case Op::Atan2: return pool_.add(pool_.mul(a, a), pool_.mul(n.operand(1), n.operand(1)));
    default: return node;
  }
}

NodeId Operations::general_power(NodeId node) {
  const Node n = pool_[node];
  return pool_.unary(Op::Exp, pool_.mul(n.operand(1), pool_.unary(Op::Log, n.operand(0))));
}

std::optional<std::pair<NodeId, NodeId>> Operations::power_parts(NodeId node) {
  const Node n = pool_[node];
  const double exponent = number(n.operand(1));
  constexpr double highest = 4096.0;
  if (exponent != std::floor(exponent) || std::abs(exponent) > highest) return {};
  const auto power = [&](double e) { return pool_.pow(n.operand(0), pool_.constant(e)); };
  if (exponent < 0.0) return std::pair{node, power(-exponent)};
  const double half = std::floor(exponent / 2.0);
  return std::pair{power(half), power(exponent - half)};
}

std::vector<NodeId> Operations::same_order_ingredients(NodeId node) {
  std::vector<NodeId> all = ingredients(node);
  if (has_companion(pool_[node].op)) all.pop_back();
  std::erase(all, node);
  return all;
}

}  // namespace driftless::taylor
