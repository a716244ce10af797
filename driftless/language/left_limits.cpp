// pre(y) in a when clause, for a continuous y whose derivative does not occur: the value of y before the event, at
// which y may jump.
//
// Where an equation gives y = e, it is e with the earlier values of everything that changes at events: pre(v) for a
// discrete variable v, and for a relation, for which a Boolean b is added, pre(b). States and time do not jump.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

constexpr int deepest = 50;  // definitions within definitions

class LeftLimits {
 public:
  explicit LeftLimits(Elaboration& all)
      : all_(all), model_(all.model), pool_(all.pool), is_differentiated_(differentiated(all)) {}

  // The left limit of y; nothing if no equation gives y explicitly.
  std::optional<NodeId> of(NodeId y, int depth = 0) {
    if (depth > deepest) return std::nullopt;
    const auto value = definition_of(y);
    if (!value || any_node(pool_, *value, [&](NodeId id) { return jumps_without_event(id); })) return std::nullopt;
    bool complete = true;
    const NodeId before = Substitution(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      if (pool_[leaf].op == Op::Parameter) return parameter_before(leaf);
      if (pool_[leaf].op != Op::Variable || is_differentiated_[pool_[leaf].a]) return std::nullopt;
      const auto inner = of(leaf, depth + 1);
      complete = complete && inner;
      return inner;
    })(*value);
    return complete ? std::optional(before) : std::nullopt;
  }

 private:
  // y = e or e = y, and y + e = 0, which y = -e has become.
  std::optional<NodeId> definition_of(NodeId y) const {
    for (const Equation& equation : model_.equations) {
      const Node& node = pool_[equation.residual];
      if (node.op != Op::Sub && node.op != Op::Add) continue;
      for (const auto& [left, right] : {std::pair(NodeId{node.a}, NodeId{node.b}), {NodeId{node.b}, NodeId{node.a}}})
        if (left == y && !any_node(pool_, right, [&](NodeId id) { return id == y; }))
          return node.op == Op::Sub ? right : pool_.neg(right);
    }
    return std::nullopt;
  }

  bool jumps_without_event(NodeId id) const {
    static constexpr std::array jumping{Op::Less,  Op::LessEqual, Op::Equal, Op::NotEqual,
                                        Op::Floor, Op::Ceil,      Op::Sign,  Op::Call};
    return std::ranges::find(jumping, pool_[id].op) != jumping.end() && varies(pool_, id);
  }

  std::optional<NodeId> parameter_before(NodeId leaf) {
    if (const auto place = discrete_value(model_, leaf)) return leaf_of(model_.discrete.variables[*place].pre);
    const ParamId id{static_cast<std::int32_t>(pool_[leaf].a)};
    const auto held = std::ranges::find(model_.discrete.held, id, &Held::held);
    if (held == model_.discrete.held.end()) return std::nullopt;
    const NodeId initial = leaf_of(initial_flag(model_));
    return pool_.if_else(initial, leaf, leaf_of(model_.discrete.variables[variable_of(*held)].pre));
  }

  // The discrete variable that has the value of a relation.
  std::size_t variable_of(const Held& held) {
    const auto [known, fresh] = relations_.try_emplace(index(held.held), 0);
    if (!fresh) return known->second;
    const Op op = pool_[held.expression].op;
    DiscreteVariable variable;
    variable.name = held.text;
    variable.range = held.range;
    variable.type = op == Op::Less || op == Op::LessEqual ? DiscreteType::Boolean : DiscreteType::Real;
    variable.auxiliary = true;
    const std::size_t place = known->second = add_discrete_variable(model_, std::move(variable));
    const DiscreteVariable& made = model_.discrete.variables[place];
    model_.discrete.equations.push_back(
        {leaf_of(made.value), leaf_of(held.held), all_.label(all_.site(held.range), made.name), made.name, held.range});
    return place;
  }

  NodeId leaf_of(ParamId id) const { return pool_.parameter(id); }

  Elaboration& all_;
  Model& model_;
  Pool& pool_;
  std::vector<bool> is_differentiated_;
  std::unordered_map<int, std::size_t> relations_;
};

}  // namespace

std::vector<bool> differentiated(const Elaboration& all) {
  std::vector<bool> is_differentiated(all.model.variables.size(), false);
  for (const Equation& equation : all.model.equations)
    for (const NodeId leaf : variables_of(all.pool, equation.residual))
      if (all.pool[leaf].b > 0) is_differentiated[all.pool[leaf].a] = true;
  return is_differentiated;
}

NodeId left_limit_variable(Elaboration& all, VarId y, SourceRange range) {
  Model& model = all.model;
  auto& made = all.events.left_limit_variables;
  auto place = made.find(index(y));
  if (place == made.end()) {
    DiscreteVariable variable;
    variable.name = fmt::format("pre({})", model[y].name);
    variable.range = range;
    variable.auxiliary = true;
    place = made.emplace(index(y), add_discrete_variable(model, std::move(variable))).first;
  }
  return all.pool.parameter(model.discrete.variables[place->second].value);
}

void define_left_limits(Elaboration& all) {
  if (all.events.left_limit_variables.empty()) return;
  LeftLimits limits(all);
  for (const auto& [y, place] : all.events.left_limit_variables) {
    const auto value = limits.of(all.pool.variable(VarId{y}));
    const DiscreteVariable variable = all.model.discrete.variables[place];
    if (value)
      all.model.discrete.equations.push_back({all.pool.parameter(variable.value), *value,
                                              all.label(all.site(variable.range), variable.name), variable.name,
                                              variable.range});
    else
      refuse_left_limit(all, VarId{y}, variable.range);
  }
}

}  // namespace driftless::language
