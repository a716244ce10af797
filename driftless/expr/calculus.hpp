// Calculus on expressions. All walks use an explicit stack and visit a shared node once.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "driftless/expr/activity.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

// The differential of expressions, given that of the leaves Time, Parameter, Variable and Local:
// every kind of forward derivative is a choice of `of_leaf`. It remembers every node it has seen,
// so n expressions that share subexpressions cost as much as the shared graph. At kinks it is the differential of the
// active expression (activity.hpp).
class Differential {
 public:
  using OfLeaf = std::function<NodeId(NodeId leaf)>;
  // `when_leaf_moves`: the condition under which a leaf with a differential moves at all; by default always.
  Differential(Pool& pool, OfLeaf of_leaf, OfLeaf when_leaf_moves = {});
  Differential(const Differential&) = delete;
  Differential& operator=(const Differential&) = delete;
  NodeId operator()(NodeId expression);
  // The condition under which the expression moves.
  NodeId activity(NodeId expression) { return activity_(expression); }

 private:
  NodeId of_operation(NodeId id);

  Pool& pool_;
  OfLeaf of_leaf_;
  NodeMap<NodeId> memo_;
  bool has_choices_;
  Activity activity_;
};

// d/dt: the differential with ṫ = 1 and constant parameters. Keep one object per pool.
class TimeDerivative {
 public:
  explicit TimeDerivative(Pool& pool);
  NodeId operator()(NodeId expression) { return differential_(expression); }
  NodeId operator()(NodeId expression, int times);

 private:
  Differential differential_;
};

// A leaf Variable node and the partial derivative with respect to it.
struct Partial {
  NodeId leaf;
  NodeId derivative;
};

// The sparse gradient with respect to all Variable leaves (each order of a variable is a leaf of
// its own), in ascending order of (VarId, order); structurally zero entries do not appear.
std::vector<Partial> gradient(Pool& pool, NodeId expression);

// ∂expression/∂leaf for one leaf (Variable, Parameter, Time or Local).
NodeId partial(Pool& pool, NodeId expression, NodeId leaf);

// All nodes of an expression in ascending order of their handles: operands before their users.
std::vector<NodeId> nodes_of(const Pool& pool, NodeId expression);

// The Variable leaves in an expression, ascending by (VarId, order).
std::vector<NodeId> variables_of(const Pool& pool, NodeId expression);

// Does any node of the expression satisfy the predicate?
bool any_node(const Pool& pool, NodeId expression, const std::function<bool(NodeId)>& predicate);
// Does a variable or time occur? Otherwise only parameters determine its value.
bool varies(const Pool& pool, NodeId expression);

// The same operation or call with other operands, as many as before.
NodeId with_operands(Pool& pool, NodeId id, std::span<const NodeId> operands);

// Replaces the leaves Time, Parameter, Variable and Local: replacement(leaf) returns the new
// expression, or nothing to keep the leaf. Keep one object for many expressions that share nodes.
class Substitution {
 public:
  using Replacement = std::function<std::optional<NodeId>(NodeId leaf)>;
  Substitution(Pool& pool, Replacement replacement) : pool_(pool), replacement_(std::move(replacement)) {}
  NodeId operator()(NodeId expression);

 private:
  Pool& pool_;
  Replacement replacement_;
  NodeMap<NodeId> memo_;
};

// If expression = coefficient * leaf + rest with coefficient and rest free of the leaf. Decided by structure alone:
// sums, products and quotients are analysed, but (x^2 - 1)/(x - 1) counts as nonlinear.
struct LinearIn {
  NodeId coefficient;
  NodeId rest;
};
std::optional<LinearIn> linear_in(Pool& pool, NodeId expression, NodeId leaf);

// The value at a point. `value_of_leaf` gives the values of Time, Parameter, Variable and Local leaves.
double evaluate(const Pool& pool, NodeId expression, const std::function<double(NodeId leaf)>& value_of_leaf);

}  // namespace driftless
