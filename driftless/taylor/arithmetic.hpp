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

#ifdef DRIFTLESS_HAS_QUADMATH
template <>
constexpr Quadruple epsilon<Quadruple>() {
  return Quadruple(0x1p-112);
}
#endif

}  // namespace driftless::taylor

#ifdef DRIFTLESS_HAS_QUADMATH
template <>
struct driftless::Elementary<driftless::taylor::Quadruple> {
  using T = taylor::Quadruple;
  static T pow(T a, T b) { return powq(a, b); }
  static T atan2(T a, T b) { return atan2q(a, b); }
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
  static T sinh(T a) { return sinhq(a); }
  static T cosh(T a) { return coshq(a); }
  static T tanh(T a) { return tanhq(a); }
  static T asinh(T a) { return asinhq(a); }
  static T acosh(T a) { return acoshq(a); }
  static T atanh(T a) { return atanhq(a); }
  static T fabs(T a) { return fabsq(a); }
  static T floor(T a) { return floorq(a); }
  static T ceil(T a) { return ceilq(a); }
};
#endif
