// The floating-point types that series may have: double, and long double and __float128 for reference solutions.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/expr/apply.hpp"

#ifdef DRIFTLESS_HAS_QUADMATH
#include <quadmath.h>
#endif

namespace driftless::taylor {

template <class Scalar>
Scalar absolute(Scalar a) {
  return a < Scalar(0) ? -a : a;
}

template <class Scalar>
bool is_finite(Scalar a) {
  return a - a == Scalar(0);
}

template <class Scalar>
constexpr Scalar epsilon() {
  return std::numeric_limits<Scalar>::epsilon();
}

// What each operation means, as driftless::apply does for double.
template <class Scalar>
Scalar apply_in(Op op, Scalar a, Scalar b, Scalar c);

template <>
inline double apply_in(Op op, double a, double b, double c) {
  return apply(op, a, b, c);
}

}  // namespace driftless::taylor
