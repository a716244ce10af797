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

// A relation that is known already gives its parameter.
NodeId held_leaf(Model& model, NodeId expression, SourceRange range) {
  auto& held = model.discrete.held;
  const auto known = std::ranges::find(held, expression, &Held::expression);
  if (known != held.end()) return leaf_of(model, known->held);
  std::string text = to_string(*model.pool, expression, names_of(model));
  const ParamId id = add_parameter(model, Parameter::Role::Held, text, 0.0, range);
  held.push_back({expression, id, std::move(text), range});
  return leaf_of(model, id);
}

}  // namespace

NodeId hold(Model& model, NodeId expression, const QuietNodes& quiet, SourceRange range) {
  Pool& pool = *model.pool;
  const auto is_held = [&](NodeId id) { return is_step(pool[id].op) && !quiet.contains(id); };
  if (!any_node(pool, expression, is_held)) return expression;
  NodeMap<NodeId> replaced;
  for (const NodeId id : nodes_of(pool, expression)) {
    NodeId buffer[3];
    std::vector<NodeId> operands;
    bool is_new = false;
    for (const NodeId operand : pool.operands(id, buffer)) {
      operands.push_back(replaced.at(operand));
      is_new = is_new || operands.back() != operand;
    }
    const NodeId same = is_new ? with_operands(pool, id, operands) : id;
    replaced.insert(id,
                    is_held(id) && is_step(pool[same].op) && varies(pool, same) ? held_leaf(model, same, range) : same);
  }
  return replaced.at(expression);
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
  const auto found = std::ranges::find_if(
      variables, [&](const DiscreteVariable& variable) { return variable.value == id || variable.pre == id; });
  return static_cast<std::size_t>(found - variables.begin());
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
