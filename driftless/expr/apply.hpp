// What each operation means for numbers: constant folding, the evaluation of expressions and the
// tests of compiled code all ask here.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/expr/pool.hpp"

namespace driftless {

// Leaves and calls have no meaning by themselves: they yield NaN. Min and Max hand on a NaN of
// either operand, so that a missing value is never hidden.
inline double apply(Op op, double a, double b = 0.0, double c = 0.0) {
  switch (op) {
    case Op::Neg: return -a;
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Div: return a / b;
    case Op::Pow: return std::pow(a, b);
    case Op::Sqrt: return std::sqrt(a);
    case Op::Exp: return std::exp(a);
    case Op::Log: return std::log(a);
    case Op::Log10: return std::log10(a);
    case Op::Sin: return std::sin(a);
    case Op::Cos: return std::cos(a);
    case Op::Tan: return std::tan(a);
    case Op::Asin: return std::asin(a);
    case Op::Acos: return std::acos(a);
    case Op::Atan: return std::atan(a);
    case Op::Atan2: return std::atan2(a, b);
    case Op::Sinh: return std::sinh(a);
    case Op::Cosh: return std::cosh(a);
    case Op::Tanh: return std::tanh(a);
    case Op::Asinh: return std::asinh(a);
    case Op::Acosh: return std::acosh(a);
    case Op::Atanh: return std::atanh(a);
    case Op::Abs: return std::fabs(a);
    case Op::Sign: return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
    case Op::Min: return b < a || std::isnan(b) ? b : a;
    case Op::Max: return b > a || std::isnan(b) ? b : a;
    case Op::Floor: return std::floor(a);
    case Op::Ceil: return std::ceil(a);
    case Op::Less: return a < b ? 1.0 : 0.0;
    case Op::LessEqual: return a <= b ? 1.0 : 0.0;
    case Op::Equal: return a == b ? 1.0 : 0.0;
    case Op::NotEqual: return a != b ? 1.0 : 0.0;
    case Op::And: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
    case Op::Or: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
    case Op::Not: return a == 0.0 ? 1.0 : 0.0;
    case Op::IfElse: return a != 0.0 ? b : c;
    case Op::Constant:
    case Op::Time:
    case Op::Parameter:
    case Op::Variable:
    case Op::Local:
    case Op::Call: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace driftless
