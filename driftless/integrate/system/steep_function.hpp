// Functions that may change by many orders of magnitude within a correction or a step: exponentials and logarithms.
// In an iteration tangents replace them (guard.hpp), whose arguments move by limited amounts.
#pragma once

#include "driftless/expr/pool.hpp"

namespace driftless {

bool is_steep_function(Op op);

// Value and slope of a steep function.
double steep_value(Op op, double argument);
double steep_slope(Op op, double argument);

constexpr double largest_exponent = 700.0;  // of an exponential that does not overflow

// A limit for the argument of a steep function; `from`: the argument of its tangent; `to`: the argument after a
// correction; `free`: the argument up to which the function is negligible in its equations.
double limited_argument(Op function, double from, double to, double free);

}  // namespace driftless
