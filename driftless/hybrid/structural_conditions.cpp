#include "driftless/hybrid/structural_conditions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

// Whether a leaf occurs in a node, over all combinations of branches.
struct Presence {
  bool may = false;   // the leaf occurs in some
  bool must = false;  // in all
  friend bool operator==(const Presence&, const Presence&) = default;
};

// One equation: which leaves depend on which of its conditions.
class BranchesOfEquation {
 public:
  BranchesOfEquation(const Pool& pool, NodeId residual) : pool_(pool), nodes_(nodes_of(pool, residual)) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) place_.insert(nodes_[k], static_cast<int>(k));
    for (const NodeId id : nodes_) {
      const Node& node = pool_[id];
      chooses_.push_back(node.op == Op::IfElse && !varies(pool_, node.operand(0)));
      may_vanish_.push_back(vanishes(id, chooses_.back()));
    }
    decides_.assign(nodes_.size(), false);
  }

  bool any() const { return std::ranges::find(chooses_, true) != chooses_.end(); }

  // Marks the nodes that decide whether the leaf occurs.
  void look_at(NodeId leaf) {
    std::vector<Presence> at;
    at.reserve(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) at.push_back(presence(nodes_[k], chooses_[k], leaf, at));
    if (at.back().must || !at.back().may) return;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (!chooses_[k]) continue;
      const int then = place(nodes_[k], 1), otherwise = place(nodes_[k], 2);
      if (at[then] != at[otherwise] || may_vanish_[then] != may_vanish_[otherwise]) decides_[k] = true;
    }
  }

  // Collects the conditions of marked nodes that lie in no branch of another one.
  void collect(std::vector<NodeId>& conditions, NodeMap<bool>& known) const {
    std::vector<bool> reached(nodes_.size(), false);
    reached.back() = true;
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      if (!reached[k]) continue;
      if (decides_[k]) {
        const NodeId condition = pool_[nodes_[k]].operand(0);
        if (known.insert(condition)) conditions.push_back(condition);
        continue;
      }
      NodeId buffer[3];
      for (const NodeId operand : pool_.operands(nodes_[k], buffer)) reached[place_.at(operand)] = true;
    }
  }

 private:
  int place(NodeId id, int operand) const { return place_.at(pool_[id].operand(operand)); }

  // Is the node the number 0 in some combination of branches? Then a product with it contains no leaves.
  bool vanishes(NodeId id, bool chooses) const {
    const Node& node = pool_[id];
    const auto of = [&](int k) { return may_vanish_[place_.at(node.operand(k))]; };
    switch (node.op) {
      case Op::Constant: return pool_.is_constant(id, 0.0);
      case Op::IfElse: return chooses && (of(1) || of(2));
      case Op::Neg: return of(0);
      case Op::Mul: return of(0) || of(1);
      case Op::Div: return of(0);
      case Op::Add:
      case Op::Sub: return of(0) && of(1);
      default: return false;
    }
  }

  Presence presence(NodeId id, bool chooses, NodeId leaf, const std::vector<Presence>& at) const {
    if (id == leaf) return {true, true};
    const Node& node = pool_[id];
    if (chooses) {
      const Presence &then = at[place(id, 1)], &otherwise = at[place(id, 2)];
      return {then.may || otherwise.may, then.must && otherwise.must};
    }
    Presence found;
    NodeId buffer[3];
    const auto operands = pool_.operands(id, buffer);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Presence& operand = at[place_.at(operands[k])];
      found.may = found.may || operand.may;
      const bool drops =
          (node.op == Op::Mul || (node.op == Op::Div && k == 1)) && may_vanish_[place(id, k == 0 ? 1 : 0)];
      found.must = found.must || (operand.must && !drops);
    }
    return found;
  }

  const Pool& pool_;
  std::vector<NodeId> nodes_;  // ascending: the last one is the whole
  NodeMap<int> place_;
  std::vector<bool> chooses_;     // between branches, by parameters
  std::vector<bool> may_vanish_;  // becomes the number 0
  std::vector<bool> decides_;
};

// The leaves of an equation that are entries of the system Jacobian.
std::vector<NodeId> tight_leaves(const Pool& pool, NodeId residual, int c, const std::vector<int>& d) {
  std::vector<NodeId> leaves = variables_of(pool, residual);
  std::erase_if(leaves, [&](NodeId leaf) { return static_cast<int>(pool[leaf].b) != d[pool[leaf].a] - c; });
  return leaves;
}

// The highest derivative of each variable of an equation: all entries of the signature.
std::vector<NodeId> highest_leaves(const Pool& pool, NodeId residual) {
  std::vector<NodeId> highest;
  for (const NodeId leaf : variables_of(pool, residual)) {  // ascending by (variable, order)
    if (!highest.empty() && pool[highest.back()].a == pool[leaf].a) highest.pop_back();
    highest.push_back(leaf);
  }
  return highest;
}

bool chooses_between_branches(const Pool& pool, NodeId residual) {
  return any_node(pool, residual, [&](NodeId id) { return pool[id].op == Op::IfElse; });
}

}  // namespace

std::vector<NodeId> structural_conditions(const Model& model) {
  const Pool& pool = *model.pool;
  std::vector<std::pair<std::size_t, BranchesOfEquation>> candidates;
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const NodeId residual = model.equations[i].residual;
    if (!chooses_between_branches(pool, residual)) continue;
    BranchesOfEquation branches(pool, residual);
    if (branches.any()) candidates.emplace_back(i, std::move(branches));
  }
  std::vector<NodeId> conditions;
  NodeMap<bool> known;
  if (candidates.empty()) return conditions;
  const auto result = structure::analyze(signature_of(model));
  const auto* shape = std::get_if<structure::Structure>(&result);
  for (auto& [i, branches] : candidates) {
    const NodeId residual = model.equations[i].residual;
    for (const NodeId leaf :
         shape ? tight_leaves(pool, residual, shape->offsets.c[i], shape->offsets.d) : highest_leaves(pool, residual))
      branches.look_at(leaf);
    branches.collect(conditions, known);
  }
  return conditions;
}

namespace {

// Replaces conditional expressions by branches. Use one object for expressions that share nodes.
class TakenBranches {
 public:
  TakenBranches(Pool& pool, const std::vector<NodeId>& conditions, const std::vector<bool>& values) : pool_(pool) {
    for (std::size_t k = 0; k < conditions.size(); ++k) value_.insert(conditions[k], values[k]);
  }

  NodeId operator()(NodeId expression) {
    if (!any_node(pool_, expression, [&](NodeId id) { return taken(id).has_value(); })) return expression;
    for (const NodeId id : nodes_of(pool_, expression))
      if (!replaced_.contains(id)) replaced_.insert(id, replace(id));
    return replaced_.at(expression);
  }

 private:
  // The operand that replaces the node.
  std::optional<int> taken(NodeId id) const {
    if (pool_[id].op != Op::IfElse) return {};
    const bool* value = value_.find(pool_[id].operand(0));
    if (!value) return {};
    return *value ? 1 : 2;
  }

  NodeId replace(NodeId id) {
    if (const auto operand = taken(id)) return replaced_.at(pool_[id].operand(*operand));
    NodeId buffer[3];
    std::vector<NodeId> operands;
    bool is_new = false;
    for (const NodeId operand : pool_.operands(id, buffer)) {
      operands.push_back(replaced_.at(operand));
      is_new = is_new || operands.back() != operand;
    }
    return is_new ? with_operands(pool_, id, operands) : id;
  }

  Pool& pool_;
  NodeMap<bool> value_;
  NodeMap<NodeId> replaced_;
};

}  // namespace

Model with_branches(const Model& model, const std::vector<NodeId>& conditions, const std::vector<bool>& values) {
  Model result = model;
  result.pool = growable(model.pool);
  TakenBranches take(*result.pool, conditions, values);
  for (Equation& equation : result.equations) {
    equation.residual = take(equation.residual);
    if (equation.simplified) equation.simplified = take(*equation.simplified);
  }
  for (Promise& promise : result.smooth) promise.expression = take(promise.expression);
  return result;
}

}  // namespace driftless
