// Functions on numbers, by elements, and min and max of ordered types.
#include <fmt/format.h>

#include "driftless/language/builtins.hpp"

namespace driftless::language {

Value number_elementary(const Arguments& arguments, Op op) {
  Pool& pool = arguments.pool();
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!arguments[k].is_numeric())
      return arguments.reject(k, fmt::format("must be a number, but is {}", to_string(arguments[k].type())));
  const bool keeps_integers = op == Op::Abs || op == Op::Min || op == Op::Max;
  if (arguments.size() == 1) {
    Value result = arguments[0].with_type(keeps_integers ? arguments[0].type() : Type::Real);
    for (NodeId& element : result.change()) element = pool.unary(op, element);
    return result;
  }
  const Value &a = arguments[0], &b = arguments[1];
  if (!a.is_scalar() && !b.is_scalar() && a.shape() != b.shape())
    return arguments.reject(
        1, fmt::format("has the shape {}, but the first one has {}", to_string(b.shape()), to_string(a.shape())));
  const Value& shaped = a.is_scalar() ? b : a;
  std::vector<NodeId> elements(shaped.size());
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = pool.binary(op, a[k], b[k]);
  return {keeps_integers ? common_type(a.type(), b.type()) : Type::Real, shaped.shape(), std::move(elements)};
}

namespace {

// Two Booleans, false < true, or two literals of an enumeration in their order (Modelica 3.6, Section 10.3.4).
Value extremum_of_ordered(const Arguments& arguments, Op op) {
  const Value &a = arguments[0], &b = arguments[1];
  if (!a.is_scalar() || !b.is_scalar() || b.type() != a.type() || a.enumeration() != b.enumeration())
    return arguments.reject(1, fmt::format("must be {} like the first one", to_string(a.type())));
  Pool& pool = arguments.pool();
  if (a.type() == Type::Enumeration) return a.like({}, {pool.binary(op, a.scalar(), b.scalar())});
  return {Type::Boolean,
          op == Op::Min ? conjunction(pool, a.scalar(), b.scalar()) : disjunction(pool, a.scalar(), b.scalar())};
}

Value extremum(const Arguments& arguments, Op op) {
  const Value& a = arguments[0];
  const bool is_ordered = a.type() == Type::Boolean || a.type() == Type::Enumeration;
  if (arguments.size() == 2) return is_ordered ? extremum_of_ordered(arguments, op) : number_elementary(arguments, op);
  if (a.type() == Type::Boolean) {
    Pool& pool = arguments.pool();
    NodeId best = op == Op::Min ? pool.one() : pool.zero();
    for (const NodeId element : a.elements())
      best = op == Op::Min ? conjunction(pool, best, element) : disjunction(pool, best, element);
    return {Type::Boolean, best};
  }
  if (a.type() == Type::Enumeration && a.size() > 0) {
    NodeId best = a[0];
    for (const NodeId element : a.elements()) best = arguments.pool().binary(op, best, element);
    return a.like({}, {best});
  }
  if (!a.is_numeric())
    return arguments.reject(0, "must be an array of numbers, Booleans or literals of an enumeration");
  if (a.size() == 0) {  // the neutral element: the largest or the smallest number (Modelica 3.6, Section 10.3.4)
    const double largest = a.type() == Type::Integer ? 2147483647.0 : 1e60;
    return {a.type(), arguments.pool().constant(op == Op::Min ? largest : -largest)};
  }
  NodeId best = a[0];
  for (const NodeId element : a.elements()) best = arguments.pool().binary(op, best, element);
  return {a.type(), best};
}

}  // namespace

Value number_min(const Arguments& arguments) { return extremum(arguments, Op::Min); }
Value number_max(const Arguments& arguments) { return extremum(arguments, Op::Max); }

Value number_sign(const Arguments& arguments) {
  const Value result = number_elementary(arguments, Op::Sign);
  return result.valid() ? result.with_type(Type::Integer) : result;
}

Value number_integer(const Arguments& arguments) {
  const Value result = number_elementary(arguments, Op::Floor);
  return result.valid() ? result.with_type(Type::Integer) : result;
}

}  // namespace driftless::language
