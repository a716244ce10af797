// Which part of an expression decides its value at a point, and what that part depends on.
//
// `max`, `min` and `if` choose one of two operands: the branch taken. Replacing every choice by the branch it takes at
// a point leaves the *active expression* of the point. Derivatives are those of the active expression; other parts do
// not count, however steep they are: just below 0, sqrt(max(h, 0)) is sqrt(0), a constant, and its slope is 0, not 0
// times the infinite slope of the root at 0. docs/kinks.md has the rules.
#pragma once

#include <functional>

#include "driftless/expr/node_map.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

// condition ? then : otherwise
struct Branches {
  NodeId condition, then, otherwise;
};

// IfElse, Min and Max.
bool is_choice(Op op);

// The branches of a choice. If the operands of min and max are equal, one that is constant in time and all variables is
// preferred, otherwise the first.
Branches branches_of(Pool& pool, NodeId choice);

// Operations whose slope may be infinite or undefined where their value is finite.
bool may_be_steep(Op op);

// The condition under which the active expression depends on a leaf that moves. `of_leaf` gives when a leaf moves: the
// constant 1 for always, 0 for never, or a condition. Remembers every node it has seen.
class Activity {
 public:
  using OfLeaf = std::function<NodeId(NodeId leaf)>;
  Activity(Pool& pool, OfLeaf of_leaf) : pool_(pool), of_leaf_(std::move(of_leaf)) {}
  NodeId operator()(NodeId expression);

 private:
  NodeId of_node(NodeId id);

  Pool& pool_;
  OfLeaf of_leaf_;
  NodeMap<NodeId> memo_;
};

// value where the condition holds, 0 elsewhere.
NodeId where(Pool& pool, NodeId condition, NodeId value);

}  // namespace driftless
