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
    return p > 0.0 ? Interval{std::pow(a.low, p), std::pow(a.high, p)} : quotient({1.0, 1.0}, power(a, {-p, -p}));
  const double low = std::max(a.low, 0.0);  // roots of negative numbers do not exist
  return p >= 0.0 ? Interval{std::pow(low, p), std::pow(a.high, p)} : Interval{std::pow(a.high, p), std::pow(low, p)};
}

// Does an angle pass this part of a turn?
bool passes(Interval angle, double part) {
  constexpr double turn = 2.0 * std::numbers::pi;
  return std::floor(angle.high / turn - part) >= std::ceil(angle.low / turn - part);
}

Interval sine(Interval a) {
  if (!(a.high - a.low < 2.0 * std::numbers::pi)) return {-1.0, 1.0};
  const auto [low, high] = std::minmax({std::sin(a.low), std::sin(a.high)});
  return {passes(a, 0.75) ? -1.0 : low, passes(a, 0.25) ? 1.0 : high};
}

Interval cosine(Interval a) {
  if (!(a.high - a.low < 2.0 * std::numbers::pi)) return {-1.0, 1.0};
  const auto [low, high] = std::minmax({std::cos(a.low), std::cos(a.high)});
  return {passes(a, 0.5) ? -1.0 : low, passes(a, 0.0) ? 1.0 : high};
}

// A function that grows, of what lies between `least` and `most`; it has no values elsewhere.
template <class Function>
Interval grown(Function function, Interval a, double least = -infinity, double most = infinity) {
  return {function(std::clamp(a.low, least, most)), function(std::clamp(a.high, least, most))};
}

constexpr Interval certain{1.0, 1.0}, excluded{0.0, 0.0}, open{0.0, 1.0};

bool is_true(Interval a) { return a.low > 0.0 || a.high < 0.0; }
bool is_false(Interval a) { return a.low == 0.0 && a.high == 0.0; }

Interval truth(bool holds, bool fails) { return holds ? certain : fails ? excluded : open; }

}  // namespace

Interval bounds_of_square(Interval a) { return square(a); }

Interval bounds_where_all_exist(Op op, Interval a, Interval b, Interval c) {
  switch (op) {
    case Op::Less: return truth(a.high < b.low, a.low >= b.high);
    case Op::LessEqual: return truth(a.high <= b.low, a.low > b.high);
    case Op::And: return truth(is_true(a) && is_true(b), is_false(a) || is_false(b));
    case Op::Or: return truth(is_true(a) || is_true(b), is_false(a) && is_false(b));
    case Op::Not: return truth(is_false(a), is_true(a));
    case Op::IfElse:
      if (is_true(a) || is_false(a)) return is_true(a) ? b : c;
      [[fallthrough]];
    default: return bounds_of_operation(op, a, b, c);
  }
}

Interval bounds_of_operation(Op op, Interval a, Interval b, Interval c) {
  switch (op) {
    case Op::Neg: return {-a.high, -a.low};
    case Op::Add: return {a.low + b.low, a.high + b.high};
    case Op::Sub: return {a.low - b.high, a.high - b.low};
    case Op::Mul: return product(a, b);
    case Op::Div: return quotient(a, b);
    case Op::Pow: return power(a, b);
    case Op::Sqrt: return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0))};
    case Op::Exp: return {std::exp(a.low), std::exp(a.high)};
    case Op::Log: return grown([](double x) { return std::log(x); }, a, 0.0);
    case Op::Log10: return grown([](double x) { return std::log10(x); }, a, 0.0);
    case Op::Sin: return sine(a);
    case Op::Cos: return cosine(a);
    case Op::Asin: return grown([](double x) { return std::asin(x); }, a, -1.0, 1.0);
    case Op::Acos: return {std::acos(std::clamp(a.high, -1.0, 1.0)), std::acos(std::clamp(a.low, -1.0, 1.0))};
    case Op::Atan: return {std::atan(a.low), std::atan(a.high)};
    case Op::Sinh: return {std::sinh(a.low), std::sinh(a.high)};
    case Op::Cosh: return {std::cosh(std::max({a.low, -a.high, 0.0})), std::cosh(std::max(-a.low, a.high))};
    case Op::Tanh: return {std::tanh(a.low), std::tanh(a.high)};
    case Op::Asinh: return {std::asinh(a.low), std::asinh(a.high)};
    case Op::Acosh: return grown([](double x) { return std::acosh(x); }, a, 1.0);
    case Op::Atanh: return grown([](double x) { return std::atanh(x); }, a, -1.0, 1.0);
    case Op::Sign:
      return {a.low > 0.0 ? 1.0 : a.low < 0.0 ? -1.0 : 0.0, a.high > 0.0 ? 1.0 : a.high < 0.0 ? -1.0 : 0.0};
    case Op::Floor: return {std::floor(a.low), std::floor(a.high)};
    case Op::Ceil: return {std::ceil(a.low), std::ceil(a.high)};
    case Op::Abs: return {std::max({a.low, -a.high, 0.0}), std::max(-a.low, a.high)};
    case Op::Min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::Max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or:
    case Op::Not: return open;  // operands without a value decide, too
    case Op::IfElse: return {std::min(b.low, c.low), std::max(b.high, c.high)};
    default: return {};
  }
}

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
      result = is_square ? square(operand(0)) : bounds_of_operation(node.op, operand(0), operand(1), operand(2));
      if (widening > 0.0)
        result = {result.low - widening * std::abs(result.low), result.high + widening * std::abs(result.high)};
    }
    if (std::isnan(result.low) || std::isnan(result.high)) result = {};
    known.insert(id, result);
  }
}

}  // namespace driftless
