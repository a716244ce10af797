#include "driftless/expr/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// 0 * infinity is 0 here: a factor that is 0 stays 0, however large the other becomes.
double product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

Interval product(Interval a, Interval b) {
  const auto [low, high] =
      std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  return {low, high};
}

Interval square(Interval a) {
  const double below = std::max({a.low, -a.high, 0.0}), above = std::max(-a.low, a.high);
  return {product(below, below), product(above, above)};
}

Interval quotient(Interval a, Interval b) {
  return b.low > 0.0 || b.high < 0.0 ? product(a, {1.0 / b.high, 1.0 / b.low}) : Interval{};
}

// Even powers are squares of powers, odd ones grow with their base; the others exist for positive numbers.
Interval power(Interval a, Interval exponent) {
  if (exponent.low != exponent.high) return {};
  const double p = exponent.low;
  if (p > 0.0 && std::fmod(p, 2.0) == 0.0) {
    const Interval s = square(a);
    return {std::pow(s.low, 0.5 * p), std::pow(s.high, 0.5 * p)};
  }
  if (std::round(p) == p && a.low < 0.0)
    return p > 0.0 ? Interval{std::pow(a.low, p), std::pow(a.high, p)} : Interval{};
  const double low = std::max(a.low, 0.0);  // roots of negative numbers do not exist
  return p >= 0.0 ? Interval{std::pow(low, p), std::pow(a.high, p)} : Interval{std::pow(a.high, p), std::pow(low, p)};
}

Interval bounds(Op op, Interval a, Interval b, Interval c) {
  switch (op) {
    case Op::Neg: return {-a.high, -a.low};
    case Op::Add: return {a.low + b.low, a.high + b.high};
    case Op::Sub: return {a.low - b.high, a.high - b.low};
    case Op::Mul: return product(a, b);
    case Op::Div: return quotient(a, b);
    case Op::Pow: return power(a, b);
    case Op::Sqrt: return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0))};
    case Op::Exp: return {std::exp(a.low), std::exp(a.high)};
    case Op::Sin:
    case Op::Cos: return {-1.0, 1.0};
    case Op::Atan: return {-0.5 * std::numbers::pi, 0.5 * std::numbers::pi};
    case Op::Cosh: return {1.0, infinity};
    case Op::Tanh: return {std::tanh(a.low), std::tanh(a.high)};
    case Op::Abs: return {std::max({a.low, -a.high, 0.0}), std::max(-a.low, a.high)};
    case Op::Min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::Max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::IfElse: return {std::min(b.low, c.low), std::max(b.high, c.high)};
    default: return {};
  }
}

}  // namespace

Interval bounds_of(const Pool& pool, NodeId expression, const std::function<Interval(const Node&)>& of_leaf,
                   double widening) {
  NodeMap<Interval> known;
  add_bounds(pool, expression, of_leaf, known, widening);
  return known.at(expression);
}

void add_bounds(const Pool& pool, NodeId expression, const std::function<Interval(const Node&)>& of_leaf,
                NodeMap<Interval>& known, double widening) {
  for (const NodeId id : nodes_of(pool, expression)) {  // operands first
    if (known.contains(id)) continue;
    const Node node = pool[id];
    Interval result;
    if (node.op == Op::Constant) {
      result = {pool.constant_value(id), pool.constant_value(id)};
    } else if (node.op == Op::Variable || node.op == Op::Parameter || node.op == Op::Time) {
      result = of_leaf(node);
    } else if (const int operands = arity(node.op); operands > 0) {
      const auto operand = [&](int k) { return k < operands ? known.at(node.operand(k)) : Interval{}; };
      const bool is_square = node.op == Op::Mul && node.operand(0) == node.operand(1);
      result = is_square ? square(operand(0)) : bounds(node.op, operand(0), operand(1), operand(2));
      if (widening > 0.0)
        result = {result.low - widening * std::abs(result.low), result.high + widening * std::abs(result.high)};
    }
    if (std::isnan(result.low) || std::isnan(result.high)) result = {};
    known.insert(id, result);
  }
}

}  // namespace driftless
