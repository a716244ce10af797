#include "tests/random_models/expression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace driftless::random_models {
namespace {

bool is(const Expression& e, double number) { return e.kind() == Kind::Constant && e.number() == number; }

struct Slope {
  long double value, derivative;
};

Slope function_at(const std::string& name, long double x) {
  if (name == "sin") return {std::sin(x), std::cos(x)};
  if (name == "cos") return {std::cos(x), -std::sin(x)};
  if (name == "tanh") return {std::tanh(x), 1.0L - std::tanh(x) * std::tanh(x)};
  if (name == "exp") return {std::exp(x), std::exp(x)};
  if (name == "log") return {std::log(x), 1.0L / x};
  // Rounding of the argument alone moves a root near zero: no steeper than at a millionth of an epsilon.
  if (name == "sqrt") return {std::sqrt(x), 0.5L / std::sqrt(std::max(x, 1e-20L))};
  if (name == "abs") return {std::abs(x), 1.0L};
  if (name == "sign") return {x > 0.0L ? 1.0L : x < 0.0L ? -1.0L : 0.0L, 0.0L};
  if (name == "floor") return {std::floor(x), 0.0L};
  if (name == "noEvent") return {x, 1.0L};
  throw std::invalid_argument(name);
}

std::string number_text(double value) {
  const std::string text = fmt::format("{}", value);
  return value < 0.0 ? fmt::format("({})", text) : text;
}

std::string joined(const Expression& e, const char* sign, const std::vector<std::string>& names) {
  return fmt::format("({}{}{})", to_text(e.children()[0], names), sign, to_text(e.children()[1], names));
}

}  // namespace

Expression::Expression(double value) : node_(std::make_shared<const Node>(Node{.number = value})) {}

Expression Expression::time() { return make(Kind::Time, {}); }

Expression Expression::variable(int index, int order) {
  Expression e = 0.0;
  e.node_ = std::make_shared<const Node>(Node{.kind = Kind::Variable, .index = index, .order = order});
  return e;
}

Expression Expression::make(Kind kind, Children children, double number, std::string function) {
  Expression e = 0.0;
  e.node_ = std::make_shared<const Node>(Node{kind, std::move(children), number, std::move(function)});
  return e;
}

Expression operator+(const Expression& a, const Expression& b) {
  if (is(a, 0.0)) return b;
  if (is(b, 0.0)) return a;
  return Expression::make(Kind::Add, {a, b});
}
Expression operator-(const Expression& a, const Expression& b) { return a + -b; }
Expression operator-(const Expression& a) {
  if (a.kind() == Kind::Constant) return -a.number();
  return -1.0 * a;
}
Expression operator*(const Expression& a, const Expression& b) {
  if (is(a, 0.0) || is(b, 0.0)) return 0.0;
  if (is(a, 1.0)) return b;
  if (is(b, 1.0)) return a;
  return Expression::make(Kind::Multiply, {a, b});
}
Expression operator/(const Expression& a, const Expression& b) { return Expression::make(Kind::Divide, {a, b}); }
Expression power(const Expression& a, double exponent) { return Expression::make(Kind::Power, {a}, exponent); }
Expression call(const std::string& function, const Expression& a) {
  return Expression::make(Kind::Call, {a}, 0.0, function);
}
Expression maximum(const Expression& a, const Expression& b) { return Expression::make(Kind::Max, {a, b}); }
Expression minimum(const Expression& a, const Expression& b) { return Expression::make(Kind::Min, {a, b}); }
Expression if_negative(const Expression& left, const Expression& a, const Expression& b) {
  return Expression::make(Kind::If, {left, a, b});
}

Expression derivative(const Expression& e) {
  const Children& c = e.children();
  switch (e.kind()) {
    case Kind::Constant: return 0.0;
    case Kind::Time: return 1.0;
    case Kind::Variable: return Expression::variable(e.index(), e.order() + 1);
    case Kind::Add: return derivative(c[0]) + derivative(c[1]);
    case Kind::Multiply: return derivative(c[0]) * c[1] + c[0] * derivative(c[1]);
    case Kind::Divide: return derivative(c[0]) / c[1] - c[0] * derivative(c[1]) / power(c[1], 2.0);
    case Kind::Power:
      return e.number() == 2.0 ? 2.0 * c[0] * derivative(c[0])
                               : e.number() * power(c[0], e.number() - 1.0) * derivative(c[0]);
    case Kind::Call:
      if (e.function() == "sin") return call("cos", c[0]) * derivative(c[0]);
      if (e.function() == "cos") return -call("sin", c[0]) * derivative(c[0]);
      if (e.function() == "exp") return e * derivative(c[0]);
      if (e.function() == "tanh") return (1.0 - power(e, 2.0)) * derivative(c[0]);
      break;
    default: break;
  }
  throw std::invalid_argument("no derivative");
}

Expression with_solution(const Expression& e, const std::vector<Expression>& solution) {
  if (e.kind() == Kind::Variable) {
    Expression value = solution[static_cast<std::size_t>(e.index())];
    for (int k = 0; k < e.order(); ++k) value = derivative(value);
    return value;
  }
  if (e.children().empty()) return e;
  Children children;
  for (const Expression& child : e.children()) children.push_back(with_solution(child, solution));
  return Expression::make(e.kind(), std::move(children), e.number(), e.function());
}

std::string to_text(const Expression& e, const std::vector<std::string>& names) {
  const Children& c = e.children();
  switch (e.kind()) {
    case Kind::Constant: return number_text(e.number());
    case Kind::Time: return "time";
    case Kind::Variable: {
      std::string text = names[static_cast<std::size_t>(e.index())];
      for (int k = 0; k < e.order(); ++k) text = fmt::format("der({})", text);
      return text;
    }
    case Kind::Add: return joined(e, " + ", names);
    case Kind::Multiply: return joined(e, "*", names);
    case Kind::Divide: return joined(e, "/", names);
    case Kind::Power: return fmt::format("({})^{}", to_text(c[0], names), number_text(e.number()));
    case Kind::Call: return fmt::format("{}({})", e.function(), to_text(c[0], names));
    case Kind::Max: return fmt::format("max({}, {})", to_text(c[0], names), to_text(c[1], names));
    case Kind::Min: return fmt::format("min({}, {})", to_text(c[0], names), to_text(c[1], names));
    case Kind::If:
      return fmt::format("(if {} < 0 then {} else {})", to_text(c[0], names), to_text(c[1], names),
                         to_text(c[2], names));
  }
  return {};
}

Value evaluate(const Expression& e, long double time, const Lookup& lookup) {
  const Children& c = e.children();
  switch (e.kind()) {
    case Kind::Constant: return {e.number(), 0.0L, std::abs(e.number())};
    case Kind::Time: return {time, 0.0L, std::abs(time)};
    case Kind::Variable: {
      const long double v = lookup(e.index(), e.order());
      return {v, std::abs(v) + 1.0L, std::abs(v)};
    }
    case Kind::If: {
      const Value condition = evaluate(c[0], time, lookup);
      return evaluate(c[condition.value < 0.0L ? 1 : 2], time, lookup);
    }
    default: break;
  }
  const Value a = evaluate(c[0], time, lookup);
  const Value b = c.size() > 1 ? evaluate(c[1], time, lookup) : Value{};
  const long double A = std::abs(a.value), B = std::abs(b.value);
  switch (e.kind()) {
    case Kind::Add: return {a.value + b.value, a.size + b.size, a.magnitude + b.magnitude};
    case Kind::Multiply: return {a.value * b.value, A * b.size + a.size * B, A * b.magnitude + a.magnitude * B};
    case Kind::Divide:
      return {a.value / b.value, (a.size + A / B * b.size) / B, (a.magnitude + A / B * b.magnitude) / B};
    case Kind::Power: {
      const long double p = e.number(), value = std::pow(a.value, p);
      const long double slope = std::abs(p) * std::pow(std::max(A, 1e-10L), p - 1.0L);
      return {value, slope * a.size, std::abs(value) + slope * a.magnitude};
    }
    case Kind::Call: {
      const auto [value, slope] = function_at(e.function(), a.value);
      return {value, std::abs(slope) * a.size, std::abs(value) + std::abs(slope) * a.magnitude};
    }
    case Kind::Max: return {std::max(a.value, b.value), std::max(a.size, b.size), std::max(a.magnitude, b.magnitude)};
    case Kind::Min: return {std::min(a.value, b.value), std::max(a.size, b.size), std::max(a.magnitude, b.magnitude)};
    default: return {std::numeric_limits<long double>::quiet_NaN(), 0.0L, 0.0L};
  }
}

long double evaluate_at(const Expression& e, long double time) {
  return evaluate(e, time, [](int, int) -> long double { throw std::logic_error("a variable"); }).value;
}

}  // namespace driftless::random_models
