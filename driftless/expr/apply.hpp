// The numeric definition of each operation, used by constant folding, the evaluation of expressions and the tests of
// compiled code.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/expr/pool.hpp"

namespace driftless {

// The elementary functions of a type of numbers. Specialized for types that the standard library does not support.
template <class Scalar>
struct Elementary {
  static Scalar pow(Scalar a, Scalar b) { return std::pow(a, b); }
  static Scalar atan2(Scalar a, Scalar b) { return std::atan2(a, b); }
  static Scalar sqrt(Scalar a) { return std::sqrt(a); }
  static Scalar exp(Scalar a) { return std::exp(a); }
  static Scalar log(Scalar a) { return std::log(a); }
  static Scalar log10(Scalar a) { return std::log10(a); }
  static Scalar sin(Scalar a) { return std::sin(a); }
  static Scalar cos(Scalar a) { return std::cos(a); }
  static Scalar tan(Scalar a) { return std::tan(a); }
  static Scalar asin(Scalar a) { return std::asin(a); }
  static Scalar acos(Scalar a) { return std::acos(a); }
  static Scalar atan(Scalar a) { return std::atan(a); }
  static Scalar sinh(Scalar a) { return std::sinh(a); }
  static Scalar cosh(Scalar a) { return std::cosh(a); }
  static Scalar tanh(Scalar a) { return std::tanh(a); }
  static Scalar asinh(Scalar a) { return std::asinh(a); }
  static Scalar acosh(Scalar a) { return std::acosh(a); }
  static Scalar atanh(Scalar a) { return std::atanh(a); }
  static Scalar fabs(Scalar a) { return std::fabs(a); }
  static Scalar floor(Scalar a) { return std::floor(a); }
  static Scalar ceil(Scalar a) { return std::ceil(a); }
};

// Leaves and calls yield NaN. Min and Max return NaN if either operand is NaN, so that a missing value is never hidden.
template <class Scalar>
Scalar apply(Op op, Scalar a, Scalar b = Scalar(0), Scalar c = Scalar(0)) {
  using Functions = Elementary<Scalar>;
  const Scalar zero(0);
  const auto truth = [](bool holds) { return Scalar(holds ? 1 : 0); };
  switch (op) {
    case Op::Neg: return -a;
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Div: return a / b;
    case Op::Pow: return Functions::pow(a, b);
    case Op::Sqrt: return Functions::sqrt(a);
    case Op::Exp: return Functions::exp(a);
    case Op::Log: return Functions::log(a);
    case Op::Log10: return Functions::log10(a);
    case Op::Sin: return Functions::sin(a);
    case Op::Cos: return Functions::cos(a);
    case Op::Tan: return Functions::tan(a);
    case Op::Asin: return Functions::asin(a);
    case Op::Acos: return Functions::acos(a);
    case Op::Atan: return Functions::atan(a);
    case Op::Atan2: return Functions::atan2(a, b);
    case Op::Sinh: return Functions::sinh(a);
    case Op::Cosh: return Functions::cosh(a);
    case Op::Tanh: return Functions::tanh(a);
    case Op::Asinh: return Functions::asinh(a);
    case Op::Acosh: return Functions::acosh(a);
    case Op::Atanh: return Functions::atanh(a);
    case Op::Abs: return Functions::fabs(a);
    case Op::Sign: return a > zero ? Scalar(1) : a < zero ? Scalar(-1) : a;
    case Op::Min: return b < a || b != b ? b : a;
    case Op::Max: return b > a || b != b ? b : a;
    case Op::Floor: return Functions::floor(a);
    case Op::Ceil: return Functions::ceil(a);
    case Op::Less: return truth(a < b);
    case Op::LessEqual: return truth(a <= b);
    case Op::Equal: return truth(a == b);
    case Op::NotEqual: return truth(a != b);
    case Op::And: return truth(a != zero && b != zero);
    case Op::Or: return truth(a != zero || b != zero);
    case Op::Not: return truth(a == zero);
    case Op::IfElse: return a != zero ? b : c;
    case Op::Constant:
    case Op::Time:
    case Op::Parameter:
    case Op::Variable:
    case Op::Local:
    case Op::Call: break;
  }
  return Scalar(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace driftless
