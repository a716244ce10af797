// div, mod and rem.
#include <fmt/format.h>

#include "driftless/language/builtins.hpp"

namespace driftless::language {

namespace {

// The quotient without its fraction, and what remains (Modelica 3.6, Section 3.7.2).
NodeId truncated_quotient(Pool& pool, NodeId a, NodeId b) {
  const NodeId quotient = pool.div(a, b);
  return pool.if_else(pool.binary(Op::Less, quotient, pool.zero()), pool.unary(Op::Ceil, quotient),
                      pool.unary(Op::Floor, quotient));
}

Value division(const Arguments& arguments, NodeId (*divide)(Pool&, NodeId, NodeId)) {
  const Value &a = arguments[0], &b = arguments[1];
  for (std::size_t k = 0; k < 2; ++k)
    if (!arguments[k].is_numeric()) return arguments.reject(k, "must be a number");
  if (!a.is_scalar() && !b.is_scalar() && a.shape() != b.shape())
    return arguments.reject(
        1, fmt::format("has the shape {}, but the first one has {}", to_string(b.shape()), to_string(a.shape())));
  for (const NodeId divisor : b.elements())
    if (arguments.pool().is_constant(divisor, 0.0)) return arguments.reject(1, "must not be 0");
  const Value& shaped = a.is_scalar() ? b : a;
  std::vector<NodeId> elements(shaped.size());
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = divide(arguments.pool(), a[k], b[k]);
  return {common_type(a.type(), b.type()), shaped.shape(), std::move(elements)};
}

}  // namespace

Value quotient_div(const Arguments& arguments) { return division(arguments, truncated_quotient); }

Value quotient_rem(const Arguments& arguments) {
  return division(arguments, [](Pool& pool, NodeId a, NodeId b) {
    return pool.sub(a, pool.mul(truncated_quotient(pool, a, b), b));
  });
}

Value quotient_mod(const Arguments& arguments) {
  return division(arguments, [](Pool& pool, NodeId a, NodeId b) {
    return pool.sub(a, pool.mul(pool.unary(Op::Floor, pool.div(a, b)), b));
  });
}

}  // namespace driftless::language
