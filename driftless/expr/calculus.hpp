// Calculus on expressions. All walks use an explicit stack and visit a shared node once.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

// d/dt. Keep one object per pool: it remembers every node it has seen, so differentiating n
// equations that share subexpressions costs as much as the shared graph.
class TimeDerivative {
 public:
  explicit TimeDerivative(Pool& pool) : pool_(pool) {}
  NodeId operator()(NodeId expression);
  NodeId operator()(NodeId expression, int times);

 private:
  Pool& pool_;
  std::unordered_map<std::uint32_t, NodeId> memo_;
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

// The Variable leaves in an expression, ascending by (VarId, order).
std::vector<NodeId> variables_of(const Pool& pool, NodeId expression);

// Does any node of the expression satisfy the predicate?
bool any_node(const Pool& pool, NodeId expression, const std::function<bool(NodeId)>& predicate);

// Replaces leaves: replacement(leaf) returns the new expression, or nothing to keep the leaf.
// Keep one object for many expressions that share nodes.
class Substitution {
 public:
  using Replacement = std::function<std::optional<NodeId>(NodeId leaf)>;
  Substitution(Pool& pool, Replacement replacement) : pool_(pool), replacement_(std::move(replacement)) {}
  NodeId operator()(NodeId expression);

 private:
  Pool& pool_;
  Replacement replacement_;
  std::unordered_map<std::uint32_t, NodeId> memo_;
};

// If expression = coefficient * leaf + rest with coefficient and rest free of the leaf.
struct LinearIn {
  NodeId coefficient;
  NodeId rest;
};
std::optional<LinearIn> linear_in(Pool& pool, NodeId expression, NodeId leaf);

// The value at a point. `value_of_leaf` answers for Time, Parameter, Variable and Local leaves.
double evaluate(const Pool& pool, NodeId expression, const std::function<double(NodeId leaf)>& value_of_leaf);

}  // namespace driftless
