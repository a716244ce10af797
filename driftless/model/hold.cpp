#include "driftless/model/hold.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/expr/print.hpp"

namespace driftless {
namespace {

bool is_step(Op op) { return op == Op::Less || op == Op::LessEqual || op == Op::Floor || op == Op::Ceil; }

NodeId leaf_of(Model& model, ParamId id) { return model.pool->parameter(id); }

// Equal relations get the same parameter.
NodeId held_leaf(Model& model, NodeId expression, SourceRange range) {
  auto& held = model.discrete.held;
  const auto [known, is_new] = model.discrete.held_places.try_emplace(expression, held.size());
  if (!is_new) return leaf_of(model, held[known->second].held);
  std::string text = to_string(*model.pool, expression, names_of(model));
  const ParamId id = add_parameter(model, Parameter::Role::Held, text, 0.0, range);
  held.push_back({expression, id, std::move(text), range});
  return leaf_of(model, id);
}

constexpr int deepest_split = 4;  // of max(max(...), ...) on a side of a relation

// A side of a relation that is the larger or the smaller of two: it becomes relations of each of the two.
struct Side {
  NodeId one, other;
  bool is_largest;
};
std::optional<Side> extreme(Pool& pool, NodeId id) {
  const Node node = pool[id];
  if (node.op == Op::Abs) return Side{node.operand(0), pool.neg(node.operand(0)), true};
  if (node.op == Op::Max || node.op == Op::Min) return Side{node.operand(0), node.operand(1), node.op == Op::Max};
  return {};
}

NodeId held_relation(Model& model, NodeId relation, SourceRange range, int depth) {
  Pool& pool = *model.pool;
  const Node node = pool[relation];
  if (!varies(pool, relation)) return relation;
  if (depth < deepest_split && (node.op == Op::Less || node.op == Op::LessEqual))
    for (const int side : {0, 1})
      if (const auto parts = extreme(pool, node.operand(side))) {
        const auto with = [&](NodeId part) {
          const NodeId same =
              pool.binary(node.op, side == 0 ? part : node.operand(0), side == 1 ? part : node.operand(1));
          return held_relation(model, same, range, depth + 1);
        };
        const NodeId one = with(parts->one), other = with(parts->other);
        return pool.binary(parts->is_largest == (side == 0) ? Op::And : Op::Or, one, other);
      }
  return held_leaf(model, relation, range);
}

// Rebuilds an expression from its leaves, with every node replaced by `replace(old node, rebuilt node)`. Use one object
// for all expressions.
template <class Replace>
class Rebuilt {
 public:
  Rebuilt(Pool& pool, Replace replace) : pool_(pool), replace_(std::move(replace)) {}

  NodeId operator()(NodeId expression) {
    for (const NodeId id : nodes_of(pool_, expression))
      if (!known_.contains(id)) known_.insert(id, rebuild(id));
    return known_.at(expression);
  }

 private:
  NodeId rebuild(NodeId id) {
    NodeId buffer[3];
    std::vector<NodeId> operands;
    bool is_new = false;
    for (const NodeId operand : pool_.operands(id, buffer)) {
      operands.push_back(known_.at(operand));
      is_new = is_new || operands.back() != operand;
    }
    return replace_(id, is_new ? with_operands(pool_, id, operands) : id);
  }

  Pool& pool_;
  Replace replace_;
  NodeMap<NodeId> known_;
};

}  // namespace

NodeId hold(Model& model, NodeId expression, const QuietNodes& quiet, SourceRange range) {
  Pool& pool = *model.pool;
  const auto is_held = [&](NodeId id) { return is_step(pool[id].op) && !quiet.contains(id); };
  if (!any_node(pool, expression, is_held)) return expression;
  Rebuilt rebuilt(pool, [&](NodeId id, NodeId same) {
    return is_held(id) && is_step(pool[same].op) ? held_relation(model, same, range, 0) : same;
  });
  return rebuilt(expression);
}

std::shared_ptr<const Model> without_events(const std::shared_ptr<const Model>& model) {
  if (model->discrete.held.empty() || !model->discrete.has_relations_only()) return model;
  auto result = std::make_shared<Model>(*model);
  result->pool = growable(model->pool);
  Pool& pool = *result->pool;
  // A relation contains only relations that were held before it.
  std::unordered_map<NodeId, NodeId> expression_of;
  Rebuilt rebuilt(pool, [&](NodeId, NodeId same) {
    const auto known = expression_of.find(same);
    return known == expression_of.end() ? same : known->second;
  });
  for (const Held& held : model->discrete.held) {
    const NodeId expression = rebuilt(held.expression);
    expression_of.emplace(pool.parameter(held.held), expression);
  }
  for (Equation& equation : result->equations) {
    equation.residual = rebuilt(equation.residual);
    if (equation.simplified) equation.simplified = rebuilt(*equation.simplified);
  }
  result->discrete.held.clear();
  result->discrete.held_places.clear();
  return result;
}

bool has_released_relations(const Model& model) {
  return model.discrete.held.empty() && std::ranges::any_of(model.parameters, [](const Parameter& parameter) {
           return parameter.role == Parameter::Role::Held;
         });
}

void add_quiet(const Pool& pool, NodeId expression, QuietNodes& quiet) {
  for (const NodeId id : nodes_of(pool, expression))
    if (is_step(pool[id].op)) quiet.insert(id);
}

ParamId add_parameter(Model& model, Parameter::Role role, std::string name, double value, SourceRange range) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.range = range;
  parameter.value = value;
  parameter.role = role;
  model.parameters.push_back(std::move(parameter));
  return ParamId{static_cast<std::int32_t>(model.parameters.size()) - 1};
}

std::size_t add_discrete_variable(Model& model, DiscreteVariable variable) {
  variable.value = add_parameter(model, Parameter::Role::Discrete, variable.name, variable.start, variable.range);
  variable.pre =
      add_parameter(model, Parameter::Role::Pre, fmt::format("pre({})", variable.name), variable.start, variable.range);
  model.discrete.variables.push_back(std::move(variable));
  return model.discrete.variables.size() - 1;
}

std::optional<std::size_t> discrete_variable_of(const Model& model, NodeId leaf) {
  const Node node = (*model.pool)[leaf];
  if (node.op != Op::Parameter) return {};
  const auto& variables = model.discrete.variables;
  const ParamId id{static_cast<std::int32_t>(node.a)};
  const auto role = model[id].role;
  if (role != Parameter::Role::Discrete && role != Parameter::Role::Pre) return {};
  // Parameters are added with each variable, so they are in ascending order.
  const auto behind = std::ranges::upper_bound(variables, id, {}, &DiscreteVariable::value);
  return static_cast<std::size_t>(behind - variables.begin()) - 1;
}

NodeId edge(Model& model, const DiscreteVariable& boolean) {
  Pool& pool = *model.pool;
  return pool.binary(Op::And, leaf_of(model, boolean.value), pool.unary(Op::Not, leaf_of(model, boolean.pre)));
}

NodeId change(Model& model, const DiscreteVariable& variable) {
  return model.pool->binary(Op::NotEqual, leaf_of(model, variable.value), leaf_of(model, variable.pre));
}

NodeId becomes_true(Model& model, NodeId condition, std::string text, std::string label, SourceRange range) {
  DiscreteVariable variable;
  variable.name = text;
  variable.range = range;
  variable.type = DiscreteType::Boolean;
  variable.auxiliary = true;
  const std::size_t place = add_discrete_variable(model, std::move(variable));
  const NodeId value = leaf_of(model, model.discrete.variables[place].value);
  model.discrete.equations.push_back({value, condition, std::move(label), std::move(text), range});
  return edge(model, model.discrete.variables[place]);
}

ParamId initial_flag(Model& model) {
  std::optional<ParamId>& flag = model.discrete.initial;
  if (!flag) flag = add_parameter(model, Parameter::Role::Flag, "initial()", 0.0);
  return *flag;
}

ParamId terminal_flag(Model& model) {
  std::optional<ParamId>& flag = model.discrete.terminal;
  if (!flag) flag = add_parameter(model, Parameter::Role::Flag, "terminal()", 0.0);
  return *flag;
}

}  // namespace driftless
