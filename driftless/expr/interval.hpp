// Bounds of an expression for all values of its variables and time: 1 + exp(x) lies above 1, 1 + 0.4 cos(x) between 0.6
// and 1.4. They hold wherever the expression has a value; they may be wide, but never too narrow, up to rounding. Equal
// operands are recognised in x * x only: x - x is unbounded.
#pragma once

#include <functional>
#include <limits>

#include "driftless/expr/node_map.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

struct Interval {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

// Of one operation, given those of its operands; all numbers where nothing is known.
Interval bounds_of_operation(Op op, Interval a, Interval b, Interval c);
Interval bounds_of_square(Interval a);
// The same where every operand is known to have a value: then relations may be certain or excluded, and choices made.
Interval bounds_where_all_exist(Op op, Interval a, Interval b, Interval c);

// `of_leaf`: the bounds of a variable, a parameter, or time. Each operation widens its bounds by this part of them:
// 1e-14 is more than any rounding error. 0 stays 0.
Interval bounds_of(const Pool& pool, NodeId expression, const std::function<Interval(const Node&)>& of_leaf,
                   double widening = 0.0);

// The same for every node of the expression, adding to those already known from the same leaves.
void add_bounds(const Pool& pool, NodeId expression, const std::function<Interval(const Node&)>& of_leaf,
                NodeMap<Interval>& known, double widening = 0.0);

}  // namespace driftless
