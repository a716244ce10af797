// The canonical form. In every pool, at all times:
//
//   - equal nodes are one node; Add, Mul, Min, Max, Equal, NotEqual, And, Or are equal in either
//     order of their operands, and keep the order in which they were first written;
//   - an operation on constants is a constant, unless its value would not be finite (the node is kept: 1/0 was written
//     by the user, and fails when it is evaluated). There is one zero, +0;
//   - no operand is a neutral or an absorbing element: x+0, x-0, 1*x, 0*x, x/1, 0/x, x^0, x^1, 1^x;
//     x-x is 0 and x+x is 2*x, while x/x stays: it has no value at 0;
//   - signs are moved outside and absorbed by sums. Call a node negative if it is -u, a constant c < 0, c*u or c/u with
//     c < 0. Then no right operand of Add or Sub and no left operand of Add is negative; no operand of Mul or Div is
//     negative, except a constant c < 0 in front; a negation never stands before a constant, a difference, c*u or c/u;
//   - the constant of a product is on the left, and products with constants are merged (2*(3*x) is 6*x) while the
//     merged constant is neither too large nor too small for full precision;
//   - conditions and operands of And and Or are not constants; the branches of IfElse differ.
//
// Valid: 2*x, x-1, -(x*y), -2*x, x^2.   Invalid: x*2, x+(-1), (-x)*y, -(2*x), -(x-y), x+0.
#include <cassert>
#include <cmath>
#include <utility>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {
namespace {

bool is_logical(Op op) { return op >= Op::Less && op <= Op::Not; }

}  // namespace

bool Pool::is_negative(NodeId id) const {
  const Node& node = (*this)[id];
  switch (node.op) {
    case Op::Neg: return true;
    case Op::Constant: return constant_value(id) < 0.0;
    case Op::Mul:
    case Op::Div: return is_constant(node.operand(0)) && constant_value(node.operand(0)) < 0.0;
    default: return false;
  }
}

// The constant op(a, b, c), or nothing if an operand is not constant or the value not finite.
std::optional<NodeId> Pool::folded(Op op, std::initializer_list<NodeId> operands) {
  double values[3] = {};
  std::size_t n = 0;
  for (const NodeId operand : operands) {
    if (!is_constant(operand)) return std::nullopt;
    values[n] = constant_value(operand);
    if (!std::isfinite(values[n++])) return std::nullopt;
  }
  const double value = apply(op, values[0], values[1], values[2]);
  if (!std::isfinite(value)) return std::nullopt;
  return constant(value);
}

NodeId Pool::unary(Op op, NodeId a) {
  assert(arity(op) == 1);
  if (const auto value = folded(op, {a})) return *value;
  const Node node = (*this)[a];
  if (op == Op::Neg) {
    if (node.op == Op::Neg) return node.operand(0);
    if (node.op == Op::Sub) return sub(node.operand(1), node.operand(0));
    if ((node.op == Op::Mul || node.op == Op::Div) && is_constant(node.operand(0))) {
      return binary(node.op, constant(-constant_value(node.operand(0))), node.operand(1));
    }
  }
  if (op == Op::Abs) {
    if (node.op == Op::Abs) return a;
    if (node.op == Op::Neg) return unary(op, node.operand(0));
  }
  if (op == Op::Not && node.op == Op::Not && is_logical((*this)[node.operand(0)].op)) return node.operand(0);
  return intern({op, index(a)});
}

NodeId Pool::binary(Op op, NodeId a, NodeId b) {
  assert(arity(op) == 2);
  if (const auto value = folded(op, {a, b})) return *value;
  switch (op) {
    case Op::Add: return make_sum(a, b);
    case Op::Sub: return make_difference(a, b);
    case Op::Mul: return make_product(a, b);
    case Op::Div: return make_quotient(a, b);
    case Op::Pow: return make_power(a, b);
    case Op::And:
    case Op::Or: return make_logical(op, a, b);
    case Op::Min:
    case Op::Max:
      if (a == b) return a;
      break;
    case Op::LessEqual:
    case Op::Equal:
      if (a == b) return one();
      break;
    case Op::Less:
    case Op::NotEqual:
      if (a == b) return zero();
      break;
    default: break;
  }
  return intern({op, index(a), index(b)});
}

NodeId Pool::make_sum(NodeId a, NodeId b) {
  if (is_constant(a, 0.0)) return b;
  if (is_constant(b, 0.0)) return a;
  if (a == b) return mul(constant(2.0), a);
  if (is_negative(b)) return sub(a, neg(b));
  if (is_negative(a)) return sub(b, neg(a));
  return intern({Op::Add, index(a), index(b)});
}

NodeId Pool::make_difference(NodeId a, NodeId b) {
  if (is_constant(b, 0.0)) return a;
  if (is_constant(a, 0.0)) return neg(b);
  if (a == b) return zero();
  if (is_negative(b)) return add(a, neg(b));
  return intern({Op::Sub, index(a), index(b)});
}

NodeId Pool::make_product(NodeId a, NodeId b) {
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a) && !is_constant(b)) {
    const double c = constant_value(a);
    if (c == 0.0) return a;
    if (c == 1.0) return b;
    if (c == -1.0) return neg(b);
    if (is_negative(b)) return mul(constant(-c), neg(b));
    const Node inner = (*this)[b];
    if (inner.op == Op::Mul && is_constant(inner.operand(0))) {
      const double merged = c * constant_value(inner.operand(0));
      if (std::isnormal(merged)) return mul(constant(merged), inner.operand(1));
    }
  } else if (!is_constant(a)) {
    const bool minus_a = is_negative(a);
    const bool minus_b = is_negative(b);
    if (minus_a && minus_b) return mul(neg(a), neg(b));
    if (minus_a) return neg(mul(neg(a), b));
    if (minus_b) return neg(mul(a, neg(b)));
  }
  return intern({Op::Mul, index(a), index(b)});
}

NodeId Pool::make_quotient(NodeId a, NodeId b) {
  if (is_constant(b, 1.0)) return a;
  if (is_constant(b, -1.0)) return neg(a);
  if (is_constant(a, 0.0) && !is_constant(b, 0.0)) return a;
  if (is_negative(b)) return is_negative(a) ? div(neg(a), neg(b)) : neg(div(a, neg(b)));
  if (is_negative(a) && !is_constant(a)) return neg(div(neg(a), b));
  return intern({Op::Div, index(a), index(b)});
}

NodeId Pool::make_power(NodeId a, NodeId b) {
  if (is_constant(b, 0.0)) return one();
  if (is_constant(b, 1.0) || is_constant(a, 1.0)) return a;
  const Node base = (*this)[a];
  const bool even = is_constant(b) && std::fmod(constant_value(b), 2.0) == 0.0;
  if (even && base.op == Op::Neg) return pow(base.operand(0), b);
  return intern({Op::Pow, index(a), index(b)});
}

NodeId Pool::make_logical(Op op, NodeId a, NodeId b) {
  if (is_constant(a)) std::swap(a, b);
  const double absorbing = op == Op::And ? 0.0 : 1.0;
  if (is_constant(b)) {
    if ((constant_value(b) != 0.0) == (absorbing != 0.0)) return constant(absorbing);
    if (is_logical((*this)[a].op)) return a;
    return binary(Op::NotEqual, a, zero());
  }
  if (a == b && is_logical((*this)[a].op)) return a;
  return intern({op, index(a), index(b)});
}

NodeId Pool::if_else(NodeId condition, NodeId then, NodeId otherwise) {
  if (is_constant(condition)) return constant_value(condition) != 0.0 ? then : otherwise;
  if (then == otherwise) return then;
  const Node node = (*this)[condition];
  if (node.op == Op::Not) return if_else(node.operand(0), otherwise, then);
  return intern({Op::IfElse, index(condition), index(then), index(otherwise)});
}

}  // namespace driftless
