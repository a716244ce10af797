// The ingredients of the series of an operation: from which other series its coefficients are computed, and whether the
// formula contains convolutions (recurrences.hpp).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driftless/expr/node_map.hpp"
#include "driftless/model/model.hpp"

namespace driftless::taylor {

enum class Form {
  Constant,  // no coefficients above order 0
  Leaf,
  Linear,     // a combination of the operands with factors of order 0, computed in every class
  Nonlinear,  // with convolutions, in one class
};

class Operations {
 public:
  // Adds auxiliary series to the pool.
  Operations(Pool& pool, const Model& model) : pool_(pool), model_(model) {}

  bool is_constant(NodeId node);
  Form form_of(NodeId node);

  // The series in the formula of an operation.
  std::vector<NodeId> ingredients(NodeId node);
  // Those of which the formula needs the coefficient of the same order: of a companion, f' = q a', it needs lower
  // orders only.
  std::vector<NodeId> same_order_ingredients(NodeId node);

  // The other series of a pair that satisfies differential equations: f' = q a' or q f' = a'.
  NodeId companion(NodeId node);

  NodeId general_power(NodeId node);  // a^b = exp(b log a)

  // An integer power is a product of two lower ones, or a quotient 1 / a^n (then the second part is a^n, and the first
  // is the power itself); nothing for other exponents.
  std::optional<std::pair<NodeId, NodeId>> power_parts(NodeId node);

 private:
  double number(NodeId node) const;

  Pool& pool_;
  const Model& model_;
  NodeMap<bool> constant_;
};

}  // namespace driftless::taylor
