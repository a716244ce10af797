// Functions that may change by many orders of magnitude within a correction or a step: exponentials and logarithms.
// Their tangents take their place in an iteration (guard.hpp), and arguments move by limited amounts.
#pragma once

#include "driftless/expr/pool.hpp"

namespace driftless {

bool is_steep_function(Op op);

// Of a steep function.
double steep_value(Op op, double argument);
double steep_slope(Op op, double argument);

constexpr double largest_exponent = 700.0;  // of an exponential with a value

// A limit for the argument of a steep function; `from` is where its tangent is, `to` where a correction has moved it.
// `free` is the argument up to which the function does not matter to its equations.
double limited_argument(Op function, double from, double to, double free);

}  // namespace driftless
