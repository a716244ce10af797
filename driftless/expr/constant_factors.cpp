#include "driftless/expr/constant_factors.hpp"

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// factor * rest, with factor = ±2^k.
struct Scaled {
  double factor = 1.0;
  NodeId rest{};
};

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isfinite(value) && std::abs(std::frexp(value, &exponent)) == 0.5;
}

// Limits factors so that their products with values of models neither overflow nor underflow.
bool is_moderate(double factor) { return std::abs(factor) <= 0x1p64 && std::abs(factor) >= 0x1p-64; }

class Collector {
 public:
  explicit Collector(Pool& pool) : pool_(pool) {}

  NodeId operator()(NodeId expression) {
    for (const NodeId id : nodes_of(pool_, expression)) memo_.insert(id, collected(id));
    return whole(memo_.at(expression));
  }

 private:
  NodeId whole(Scaled a) {
    if (a.factor == 1.0) return a.rest;
    if (a.factor == -1.0) return pool_.unary(Op::Neg, a.rest);
    return pool_.mul(pool_.constant(a.factor), a.rest);
  }

  Scaled collected(NodeId id) {
    const Node node = pool_[id];
    const auto operand = [&](int k) { return memo_.at(node.operand(k)); };
    switch (node.op) {
      case Op::Constant: return constant(id);
      case Op::Neg: return {-operand(0).factor, operand(0).rest};
      case Op::Mul: return product(operand(0), operand(1));
      case Op::Div: return quotient(operand(0), operand(1));
      case Op::Add: return sum(operand(0), operand(1));
      case Op::Sub: return sum(operand(0), {-operand(1).factor, operand(1).rest});
      default: return other(id);
    }
  }

  Scaled constant(NodeId id) {
    const double value = pool_.constant_value(id);
    if (is_power_of_two(value) && is_moderate(value)) return {value, pool_.one()};
    return value < 0.0 ? Scaled{-1.0, pool_.constant(-value)} : Scaled{1.0, id};
  }

  Scaled product(Scaled a, Scaled b) {
    const double factor = a.factor * b.factor;
    if (!is_moderate(factor)) return {1.0, pool_.mul(whole(a), whole(b))};
    return {factor, pool_.mul(a.rest, b.rest)};
  }

  Scaled quotient(Scaled a, Scaled b) {
    const double factor = a.factor / b.factor;
    if (!is_moderate(factor)) return {1.0, pool_.div(whole(a), whole(b))};
    return {factor, pool_.div(a.rest, b.rest)};
  }

  // A common factor goes in front; -a + b is b - a.
  Scaled sum(Scaled a, Scaled b) {
    if (a.factor == b.factor) return {a.factor, pool_.add(a.rest, b.rest)};
    if (a.factor == -b.factor)
      return a.factor > 0 ? Scaled{a.factor, pool_.sub(a.rest, b.rest)} : Scaled{b.factor, pool_.sub(b.rest, a.rest)};
    if (a.factor < 0.0 && b.factor < 0.0) {
      const Scaled positive = sum({-a.factor, a.rest}, {-b.factor, b.rest});
      return {-positive.factor, positive.rest};
    }
    if (b.factor < 0.0) return {1.0, pool_.sub(whole(a), whole({-b.factor, b.rest}))};
    if (a.factor < 0.0) return {1.0, pool_.sub(whole(b), whole({-a.factor, a.rest}))};
    return {1.0, pool_.add(whole(a), whole(b))};
  }

  Scaled other(NodeId id) {
    std::vector<NodeId> operands;
    NodeId buffer[3];
    const std::span<const NodeId> before = pool_.operands(id, buffer);
    operands.assign(before.begin(), before.end());  // the pool grows below
    for (NodeId& operand : operands) operand = whole(memo_.at(operand));
    return {1.0, operands.empty() ? id : with_operands(pool_, id, operands)};
  }

  Pool& pool_;
  NodeMap<Scaled> memo_;
};

}  // namespace

NodeId collect_constant_factors(Pool& pool, NodeId expression) { return Collector(pool)(expression); }

}  // namespace driftless
