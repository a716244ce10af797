#include "driftless/hybrid/sliding.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {
namespace {

// Parameters that have one value where the relation is true and another where it is false: its own, those of relations
// with the same surface, and discrete variables that an equation gives as functions of them.
class Sides {
 public:
  Sides(Model& model, ParamId held, std::span<const std::size_t> same, std::span<const std::size_t> opposite)
      : pool_(*model.pool) {
    const auto parameter = [&](std::size_t k) { return pool_.parameter(model.discrete.held[k].held); };
    values_.insert(pool_.parameter(held), {pool_.one(), pool_.zero()});
    for (const std::size_t k : same) values_.insert(parameter(k), {pool_.one(), pool_.zero()});
    for (const std::size_t k : opposite) values_.insert(parameter(k), {pool_.zero(), pool_.one()});
    for (bool grows = true; grows;) {
      grows = false;
      for (const DiscreteEquation& equation : model.discrete.equations) {
        if (!discrete_variable_of(model, equation.left) || values_.contains(equation.left)) continue;
        if (!depends(equation.right)) continue;
        const auto is_pre = [&](NodeId id) {
          return pool_[id].op == Op::Parameter && model.parameters[pool_[id].a].role == Parameter::Role::Pre;
        };
        if (any_node(pool_, equation.right, is_pre)) {
          remembers_ = equation.text;
          continue;
        }
        values_.insert(equation.left, {on_side(equation.right, true), on_side(equation.right, false)});
        grows = true;
      }
    }
  }

  // The text of a discrete equation that gives the relation a memory, like a hysteresis; empty if there is none.
  const std::string& remembers() const { return remembers_; }

  bool depends(NodeId expression) const {
    return any_node(pool_, expression, [&](NodeId id) { return values_.contains(id); });
  }

  NodeId on_side(NodeId expression, bool is_true) const {
    return Substitution(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      const auto* value = values_.find(leaf);
      if (!value) return {};
      return is_true ? value->first : value->second;
    })(expression);
  }

 private:
  Pool& pool_;
  NodeMap<std::pair<NodeId, NodeId>> values_;
  std::string remembers_;
};

// Expressions in which both sides are mixed with their weights. Use one object for all equations.
class Mixture {
 public:
  Mixture(Pool& pool, const Sides& sides, NodeId weight) : pool_(pool), sides_(sides), weight_(weight) {}

  NodeId operator()(NodeId expression) {
    if (!sides_.depends(expression)) return expression;
    for (const NodeId id : nodes_of(pool_, expression))
      if (!replaced_.contains(id)) replaced_.insert(id, replace(id));
    return replaced_.at(expression);
  }

 private:
  NodeId replace(NodeId id) {
    const Node node = pool_[id];
    if (node.op == Op::IfElse && sides_.depends(node.operand(0))) {
      const NodeId then = replaced_.at(node.operand(1)), otherwise = replaced_.at(node.operand(2));
      return mixed(pool_.if_else(sides_.on_side(node.operand(0), true), then, otherwise),
                   pool_.if_else(sides_.on_side(node.operand(0), false), then, otherwise));
    }
    if (node.op == Op::Parameter) return mixed(sides_.on_side(id, true), sides_.on_side(id, false));
    NodeId buffer[3];
    std::vector<NodeId> operands;
    bool is_new = false;
    for (const NodeId operand : pool_.operands(id, buffer)) {
      operands.push_back(replaced_.at(operand));
      is_new = is_new || operands.back() != operand;
    }
    return is_new ? with_operands(pool_, id, operands) : id;
  }

  // b + alpha (a - b)
  NodeId mixed(NodeId a, NodeId b) { return a == b ? a : pool_.add(b, pool_.mul(weight_, pool_.sub(a, b))); }

  Pool& pool_;
  const Sides& sides_;
  NodeId weight_;
  NodeMap<NodeId> replaced_;
};

}  // namespace

std::variant<SlidingModel, std::string> sliding_model(const Model& model, std::size_t held,
                                                      std::span<const std::size_t> same,
                                                      std::span<const std::size_t> opposite) {
  const Held relation = model.discrete.held[held];
  SlidingModel sliding{model, VarId{static_cast<int>(model.variables.size())}};
  Model& result = sliding.model;
  result.pool = growable(model.pool);
  Pool& pool = *result.pool;
  const auto surface = surface_of(pool, relation.expression);
  if (!surface) return fmt::format("{} is no relation between two expressions", relation.text);
  const Sides sides(result, relation.held, same, opposite);
  if (!sides.remembers().empty())
    return fmt::format("{} remembers its last value, so there is no motion along {}", sides.remembers(), relation.text);
  const NodeId weight = pool.variable(sliding.weight);
  Mixture mix(pool, sides, weight);
  bool is_mixed = false;
  for (Equation& equation : result.equations) {
    const NodeId before = equation.residual;
    equation.residual = mix(before);
    is_mixed = is_mixed || equation.residual != before;
    if (equation.simplified) equation.simplified = mix(*equation.simplified);
  }
  if (!is_mixed) return fmt::format("no equation depends on {}", relation.text);
  Variable variable;
  variable.name = fmt::format("sliding({})", relation.text);
  variable.range = relation.range;
  variable.start = 0.5;
  variable.auxiliary = true;
  result.variables.push_back(std::move(variable));
  result.equations.push_back({*surface, fmt::format("surface of {}", relation.text), relation.text, relation.range});
  sliding.ends_true = add_end(result, pool.binary(Op::Less, pool.one(), weight), relation.range);
  sliding.ends_false = add_end(result, pool.binary(Op::Less, weight, pool.zero()), relation.range);
  return sliding;
}

}  // namespace driftless
