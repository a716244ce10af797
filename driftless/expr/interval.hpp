// Bounds of an expression for whatever values its variables and time take: 1 + exp(x) lies above 1, 1 + 0.4 cos(x)
// between 0.6 and 1.4. They hold wherever the expression has a value; they may be wide, but never too narrow, up to
// rounding. Equal operands are not recognised: x - x is unbounded.
#pragma once

#include <functional>
#include <limits>

#include "driftless/expr/pool.hpp"

namespace driftless {

struct Interval {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

Interval bounds_of(const Pool& pool, NodeId expression, const std::function<double(ParamId)>& parameter);

}  // namespace driftless
