#include "driftless/reduce/cancellation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-9;  // of the remainder of terms of size 1 that cancel
constexpr double rounding_of_constants = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

std::optional<NodeId> Cancellation::without(NodeId expression, const std::set<NodeId>& quantities) const {
  for (const double value : {0.0, 1.0}) {
    Substitution substitution(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      if (!quantities.contains(leaf)) return {};
      return pool_.constant(value);
    });
    const NodeId result = substitution(expression);
    bool equal = true;
    for (const GenericPoint& point : points_) {
      const double before = evaluate(pool_, expression, std::cref(point)),
                   after = evaluate(pool_, result, std::cref(point));
      const double size = size_of_terms(expression, point);
      equal = equal && std::abs(before - after) <= rounding * std::max({size, std::abs(before), std::abs(after)});
    }
    if (equal) return result;
  }
  return {};
}

std::set<NodeId> Cancellation::cancelled_in(NodeId expression) const {
  std::set<NodeId> cancelled;
  for (const Partial& p : gradient(pool_, expression))
    if (std::ranges::all_of(points_, [&](const GenericPoint& point) {
          const double slope = std::abs(evaluate(pool_, p.derivative, std::cref(point)));
          return slope <= rounding * size_of_terms(p.derivative, point) ||  // or the remainder of folded constants
                 slope * std::abs(point(p.leaf)) <= rounding_of_constants * size_of_terms(expression, point);
        }))
      cancelled.insert(p.leaf);
  return cancelled;
}

// Sum of the sizes of the terms of an expression.
double Cancellation::size_of_terms(NodeId expression, const GenericPoint& point) const {
  double size = 0.0;
  std::vector<NodeId> open{expression};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const Node& node = pool_[id];
    if (node.op == Op::Add || node.op == Op::Sub)
      open.insert(open.end(), {node.operand(0), node.operand(1)});
    else if (const double value = std::abs(evaluate(pool_, id, std::cref(point))); std::isfinite(value))
      size += value;
  }
  return size;
}

}  // namespace driftless
