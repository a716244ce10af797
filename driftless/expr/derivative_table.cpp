#include "driftless/expr/derivative_table.hpp"

#include <cassert>
#include <cmath>

#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

// s a^b log a: the derivative of a power by its exponent. Its limit at a = 0, where b must be
// positive, is 0.
NodeId times_partial_by_exponent(Pool& pool, NodeId power, NodeId s) {
  const NodeId base = pool[power].operand(0);
  const NodeId value = pool.mul(s, pool.mul(power, pool.unary(Op::Log, base)));
  if (pool.is_constant(base)) return pool.is_constant(base, 0.0) ? pool.zero() : value;
  return pool.if_else(pool.binary(Op::Equal, base, pool.zero()), pool.zero(), value);
}

// s b a^(b-1): the derivative of a power by its base. A non-constant exponent may be 0 where a is 0: a^0 is 1 and does
// not change with a.
NodeId times_partial_by_base(Pool& pool, NodeId power, NodeId s) {
  const NodeId base = pool[power].operand(0), exponent = pool[power].operand(1);
  const NodeId slope = pool.mul(exponent, pool.pow(base, pool.sub(exponent, pool.one())));
  if (pool.is_constant(exponent)) return pool.mul(slope, s);
  const NodeId neither =
      pool.binary(Op::And, pool.binary(Op::Equal, base, pool.zero()), pool.binary(Op::Equal, exponent, pool.zero()));
  return pool.if_else(neither, pool.zero(), pool.mul(slope, s));
}

}  // namespace

NodeId times_partial(Pool& pool, NodeId id, int k, NodeId s) {
  const Node node = pool[id];
  const auto square = [&](NodeId x) { return pool.pow(x, pool.constant(2.0)); };
  const auto over_root = [&](NodeId x) { return pool.div(s, pool.unary(Op::Sqrt, x)); };
  const NodeId a{node.a};
  const NodeId b{node.b};
  switch (node.op) {
    case Op::Neg: return pool.neg(s);
    case Op::Add: return s;
    case Op::Sub: return k == 0 ? s : pool.neg(s);
    case Op::Mul: return pool.mul(k == 0 ? b : a, s);
    case Op::Div: return k == 0 ? pool.div(s, b) : pool.neg(pool.div(pool.mul(id, s), b));
    case Op::Pow:
      if (k == 1) return times_partial_by_exponent(pool, id, s);
      return times_partial_by_base(pool, id, s);
    case Op::Sqrt: return pool.div(s, pool.mul(pool.constant(2.0), id));
    case Op::Exp: return pool.mul(id, s);
    case Op::Log: return pool.div(s, a);
    case Op::Log10: return pool.div(s, pool.mul(pool.constant(std::log(10.0)), a));
    case Op::Sin: return pool.mul(pool.unary(Op::Cos, a), s);
    case Op::Cos: return pool.neg(pool.mul(pool.unary(Op::Sin, a), s));
    case Op::Tan: return pool.mul(pool.add(pool.one(), square(id)), s);
    case Op::Asin: return over_root(pool.sub(pool.one(), square(a)));
    case Op::Acos: return pool.neg(over_root(pool.sub(pool.one(), square(a))));
    case Op::Atan: return pool.div(s, pool.add(pool.one(), square(a)));
    case Op::Atan2: {
      const NodeId radius2 = pool.add(square(a), square(b));
      return k == 0 ? pool.div(pool.mul(b, s), radius2) : pool.neg(pool.div(pool.mul(a, s), radius2));
    }
    case Op::Sinh: return pool.mul(pool.unary(Op::Cosh, a), s);
    case Op::Cosh: return pool.mul(pool.unary(Op::Sinh, a), s);
    case Op::Tanh: return pool.mul(pool.sub(pool.one(), square(id)), s);
    case Op::Asinh: return over_root(pool.add(square(a), pool.one()));
    case Op::Acosh: return over_root(pool.sub(square(a), pool.one()));
    case Op::Atanh: return pool.div(s, pool.sub(pool.one(), square(a)));
    case Op::Abs: return pool.if_else(pool.binary(Op::Less, a, pool.zero()), pool.neg(s), s);
    case Op::Sign:
    case Op::Floor:
    case Op::Ceil:
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or:
    case Op::Not: return pool.zero();
    case Op::Call: {
      const CallSite site = pool.call_site(node);
      const FunctionId derivative = pool.partial_derivative(site.function, k);
      return pool.mul(pool.call(derivative, site.output, site.arguments), s);
    }
    case Op::Min:
    case Op::Max:
    case Op::IfElse:
    case Op::Constant:
    case Op::Time:
    case Op::Parameter:
    case Op::Variable:
    case Op::Local: break;
  }
  assert(!"choices and leaves have no factor of this kind");
  return pool.zero();
}

}  // namespace driftless
