// The values of many expressions at one point, each of their common parts evaluated once. For a second point a kernel
// is cheaper (compile/).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

// `value_of_leaf`: of every leaf but constants.
std::vector<double> evaluate_all(const Pool& pool, std::span<const NodeId> expressions,
                                 const std::function<double(NodeId leaf)>& value_of_leaf);

}  // namespace driftless
