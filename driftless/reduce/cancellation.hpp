// Finds quantities that occur in an expression but cancel, tested at generic points.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "driftless/expr/pool.hpp"
#include "driftless/reduce/generic_point.hpp"

namespace driftless {

class Cancellation {
 public:
  // Both must outlive this object.
  Cancellation(Pool& pool, const std::vector<GenericPoint>& points) : pool_(pool), points_(points) {}

  std::set<NodeId> cancelled_in(NodeId expression) const;

  // The expression without these quantities: if they cancel, any value can be substituted. Nothing if they do not
  // cancel.
  std::optional<NodeId> without(NodeId expression, const std::set<NodeId>& quantities) const;

 private:
  double size_of_terms(NodeId expression, const GenericPoint& point) const;

  Pool& pool_;
  const std::vector<GenericPoint>& points_;
};

}  // namespace driftless
