// The floating-point types that series may have: double, and long double and __float128 for reference solutions.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/expr/apply.hpp"

#if defined(__SIZEOF_FLOAT128__) && __has_include(<quadmath.h>)
#define DRIFTLESS_HAS_QUADMATH
#include <quadmath.h>
#endif

namespace driftless::taylor {

#ifdef DRIFTLESS_HAS_QUADMATH
__extension__ typedef __float128 Quadruple;
#endif

template <class Scalar>
Scalar absolute(Scalar a) {
  return a < Scalar(0) ? -a : a;
}

template <class Scalar>
bool is_finite(Scalar a) {
  return a - a == Scalar(0);
}

// The distance from 1 to the next number.
template <class Scalar>
constexpr Scalar epsilon() {
  return std::numeric_limits<Scalar>::epsilon();
}

// What each operation means, as driftless::apply does for double. `Functions` are the elementary functions of the type.
template <class Scalar, class Functions>
Scalar apply_with(Op op, Scalar a, Scalar b, Scalar c) {
  const auto truth = [](bool holds) { return Scalar(holds ? 1 : 0); };
  const Scalar zero(0);
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
    case Op::Abs: return absolute(a);
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

template <class Scalar>
Scalar apply_in(Op op, Scalar a, Scalar b, Scalar c);

template <>
inline double apply_in(Op op, double a, double b, double c) {
  return apply(op, a, b, c);
}

struct ExtendedFunctions {
  using T = long double;
  static T pow(T a, T b) { return std::pow(a, b); }
  static T sqrt(T a) { return std::sqrt(a); }
  static T exp(T a) { return std::exp(a); }
  static T log(T a) { return std::log(a); }
  static T log10(T a) { return std::log10(a); }
  static T sin(T a) { return std::sin(a); }
  static T cos(T a) { return std::cos(a); }
  static T tan(T a) { return std::tan(a); }
  static T asin(T a) { return std::asin(a); }
  static T acos(T a) { return std::acos(a); }
  static T atan(T a) { return std::atan(a); }
  static T atan2(T a, T b) { return std::atan2(a, b); }
  static T sinh(T a) { return std::sinh(a); }
  static T cosh(T a) { return std::cosh(a); }
  static T tanh(T a) { return std::tanh(a); }
  static T asinh(T a) { return std::asinh(a); }
  static T acosh(T a) { return std::acosh(a); }
  static T atanh(T a) { return std::atanh(a); }
  static T floor(T a) { return std::floor(a); }
  static T ceil(T a) { return std::ceil(a); }
};

template <>
inline long double apply_in(Op op, long double a, long double b, long double c) {
  return apply_with<long double, ExtendedFunctions>(op, a, b, c);
}

#ifdef DRIFTLESS_HAS_QUADMATH
template <>
constexpr Quadruple epsilon<Quadruple>() {
  return Quadruple(0x1p-112);
}

struct QuadrupleFunctions {
  using T = Quadruple;
  static T pow(T a, T b) { return powq(a, b); }
  static T sqrt(T a) { return sqrtq(a); }
  static T exp(T a) { return expq(a); }
  static T log(T a) { return logq(a); }
  static T log10(T a) { return log10q(a); }
  static T sin(T a) { return sinq(a); }
  static T cos(T a) { return cosq(a); }
  static T tan(T a) { return tanq(a); }
  static T asin(T a) { return asinq(a); }
  static T acos(T a) { return acosq(a); }
  static T atan(T a) { return atanq(a); }
  static T atan2(T a, T b) { return atan2q(a, b); }
  static T sinh(T a) { return sinhq(a); }
  static T cosh(T a) { return coshq(a); }
  static T tanh(T a) { return tanhq(a); }
  static T asinh(T a) { return asinhq(a); }
  static T acosh(T a) { return acoshq(a); }
  static T atanh(T a) { return atanhq(a); }
  static T floor(T a) { return floorq(a); }
  static T ceil(T a) { return ceilq(a); }
};

template <>
inline Quadruple apply_in(Op op, Quadruple a, Quadruple b, Quadruple c) {
  return apply_with<Quadruple, QuadrupleFunctions>(op, a, b, c);
}
#endif

}  // namespace driftless::taylor
