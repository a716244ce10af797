// An expression as a list of operations, to evaluate it at a point with one switch held in a chosen position.
//
// Invariant: the values are those of the last point; before the first one only constant nodes have values.
#pragma once

#include <optional>
#include <vector>

#include "driftless/expr/node_map.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

inline bool is_moving_leaf(Op op) { return op == Op::Variable || op == Op::Time; }

class Listing {
 public:
  Listing(const Model& model, NodeId root);

  const std::vector<NodeId>& nodes() const { return nodes_; }
  bool is_moving(NodeId id) const { return moving_[at(id)]; }
  double value(NodeId id) const { return values_[at(id)]; }
  double result() const { return values_.back(); }

  // `held`: a switch and the value that it is to have.
  void evaluate(const NodeMap<double>& point, std::optional<NodeId> held, double held_value);

  // The largest term of a sum or a difference, and the result.
  double scale() const;

  // The operands that decide the present value of a node. For a condition that never changes, only the active branch
  // counts.
  void push_deciding(NodeId id, bool only_lasting, std::vector<NodeId>& open) const;

 private:
  std::size_t at(NodeId id) const { return static_cast<std::size_t>(place_.at(id)); }
  double value_of(NodeId id, const NodeMap<double>& point, std::optional<NodeId> held, double held_value) const;

  const Model& model_;
  const Pool& pool_;
  std::vector<NodeId> nodes_;
  NodeMap<int> place_;
  std::vector<double> values_;
  std::vector<bool> moving_;
};

}  // namespace driftless
