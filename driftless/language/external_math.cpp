// Functions of <math.h> that are elementary functions of the language: a text that calls them by external "C" y =
// sin(u), as libraries do in their own packages Math, needs no C library, and they are differentiated like their
// counterparts.
#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "driftless/language/external.hpp"

namespace driftless::language {

namespace {

const std::unordered_map<std::string_view, Op>& operations() {
  static const std::unordered_map<std::string_view, Op> map = {
      {"sin", Op::Sin},     {"cos", Op::Cos},     {"tan", Op::Tan},     {"asin", Op::Asin}, {"acos", Op::Acos},
      {"atan", Op::Atan},   {"atan2", Op::Atan2}, {"sinh", Op::Sinh},   {"cosh", Op::Cosh}, {"tanh", Op::Tanh},
      {"asinh", Op::Asinh}, {"acosh", Op::Acosh}, {"atanh", Op::Atanh}, {"exp", Op::Exp},   {"log", Op::Log},
      {"log10", Op::Log10}, {"sqrt", Op::Sqrt},   {"fabs", Op::Abs},    {"pow", Op::Pow},
  };
  return map;
}

Value elementary(ExternalCall& call) {
  const Op op = operations().at(call.name);
  const std::size_t wanted = op == Op::Atan2 || op == Op::Pow ? 2 : 1;
  if (call.arguments.size() != wanted)
    return call.refuse(fmt::format("{} takes {} number{}", call.name, wanted, wanted == 1 ? "" : "s"));
  for (const Value& argument : call.arguments)
    if (!argument.is_numeric() || !argument.is_scalar())
      return call.refuse(fmt::format("{} takes numbers only", call.name));
  Pool& pool = call.pool();
  const NodeId first = call.arguments[0].scalar();
  if (op == Op::Pow) return {Type::Real, pool.pow(first, call.arguments[1].scalar())};
  return {Type::Real, wanted == 2 ? pool.binary(op, first, call.arguments[1].scalar()) : pool.unary(op, first)};
}

}  // namespace

ExternalFunction find_mathematical_function(std::string_view name) {
  return operations().contains(name) ? elementary : nullptr;
}

}  // namespace driftless::language
