#include "driftless/integrate/system/steep_function.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double largest_drop = 5.0;  // of a logarithm in one iteration

// Moves up from `from`: without limit as long as the function does not matter, then by the logarithm of the requested
// change, to the argument at which exp has the value of its tangent.
double raised(double from, double to, double free) {
  const double base = std::max(from, free);
  return to <= base ? to : std::min(base + std::log1p(to - base), std::max(base, largest_exponent));
}

double exponential_argument(double from, double to, double free) {
  if (to > from) return raised(from, to, free);
  return from > free && to < free ? free : to;  // the first step down ends where the function still has a slope
}

}  // namespace

bool is_steep_function(Op op) {
  return op == Op::Exp || op == Op::Sinh || op == Op::Cosh || op == Op::Log || op == Op::Log10;
}

double steep_value(Op op, double a) {
  switch (op) {
    case Op::Exp: return std::exp(a);
    case Op::Sinh: return std::sinh(a);
    case Op::Cosh: return std::cosh(a);
    case Op::Log: return std::log(a);
    default: return std::log10(a);
  }
}

double steep_slope(Op op, double a) {
  switch (op) {
    case Op::Exp: return std::exp(a);
    case Op::Sinh: return std::cosh(a);
    case Op::Cosh: return std::sinh(a);
    case Op::Log: return 1.0 / a;
    default: return 1.0 / (a * std::log(10.0));
  }
}

double limited_argument(Op function, double from, double to, double free) {
  if (!std::isfinite(to)) return from;
  switch (function) {
    case Op::Exp: return exponential_argument(from, to, free);
    case Op::Sinh:
    case Op::Cosh: {
      const double sign = to < 0.0 ? -1.0 : 1.0, before = std::max(sign * from, 0.0);
      return sign * raised(before, sign * to, std::max(free, 0.0));
    }
    default:  // a logarithm moves down to the argument at which it has the value of its tangent
      return to >= from ? to : from * std::exp(std::max((to - from) / from, -largest_drop));
  }
}

}  // namespace driftless
