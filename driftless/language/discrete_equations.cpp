// Equations that hold at events only.
#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

bool has_discrete_leaf(const Model& model, NodeId expression, bool or_left_limit) {
  const Pool& pool = *model.pool;
  return any_node(pool, expression, [&](NodeId id) {
    const Node& node = pool[id];
    if (node.op != Op::Parameter) return false;
    const auto role = model[ParamId{static_cast<std::int32_t>(node.a)}].role;
    return role == Parameter::Role::Discrete || (or_left_limit && role == Parameter::Role::Pre);
  });
}

bool has_variable(const Pool& pool, NodeId expression) {
  return any_node(pool, expression, [&](NodeId id) { return pool[id].op == Op::Variable; });
}

// Is the side a discrete variable, its negation, or in an initial equation its left limit?
bool stands_alone(const Model& model, NodeId side, bool initial) {
  const Node& node = (*model.pool)[side];
  const NodeId leaf = node.op == Op::Not ? NodeId{node.a} : side;
  return discrete_value(model, leaf) || (initial && discrete_variable_of(model, leaf));
}

// The variable of one side if the other side contains it, too.
const DiscreteVariable* determines_itself(const Model& model, const DiscreteEquation& equation) {
  const auto place = discrete_value(model, equation.left);
  if (!place || !any_node(*model.pool, equation.right, [&](NodeId id) { return id == equation.left; })) return nullptr;
  return &model.discrete.variables[*place];
}

// sign(a) by relations, which can be held.
NodeId with_relations_for_signs(Pool& pool, NodeId expression) {
  if (!any_node(pool, expression, [&](NodeId id) { return pool[id].op == Op::Sign; })) return expression;
  NodeMap<NodeId> replaced;
  for (const NodeId id : nodes_of(pool, expression)) {
    NodeId buffer[3];
    std::vector<NodeId> operands;
    for (const NodeId operand : pool.operands(id, buffer)) operands.push_back(replaced.at(operand));
    if (pool[id].op != Op::Sign) {
      replaced.insert(id, operands.empty() ? id : with_operands(pool, id, operands));
      continue;
    }
    const NodeId a = operands.front();
    const NodeId negative = pool.if_else(pool.binary(Op::Less, a, pool.zero()), pool.constant(-1.0), pool.zero());
    replaced.insert(id, pool.if_else(pool.binary(Op::Less, pool.zero(), a), pool.one(), negative));
  }
  return replaced.at(expression);
}

bool is_possible(const Environment& at, const DiscreteEquation& equation, bool initial) {
  const Model& model = at.all.model;
  if (!stands_alone(model, equation.left, initial) && !stands_alone(model, equation.right, initial)) {
    at.error(Code::WrongDiscreteEquation, equation.range,
             fmt::format("{} determines no discrete variable: none of them stands alone on one side", equation.text))
        .note("write v = ..., where v is the discrete variable that the equation gives a value");
    return false;
  }
  if (const DiscreteVariable* variable = determines_itself(model, equation)) {
    at.error(Code::DependsOnItself, equation.range, fmt::format("{} depends on itself", variable->name))
        .note(fmt::format("its value before the event is pre({})", variable->name));
    return false;
  }
  return true;
}

}  // namespace

bool is_discrete_equation(const Model& model, Type left_type, Type right_type, NodeId left, NodeId right,
                          bool initial) {
  if (model.discrete.variables.empty()) return false;
  const bool numbers = left_type == Type::Real || right_type == Type::Real;
  const Pool& pool = *model.pool;
  if (!has_discrete_leaf(model, left, initial) && !has_discrete_leaf(model, right, initial)) return false;
  if (!numbers) return true;
  // pre(u) = 2*x gives u its value; x = n, with an Integer n, gives x its value.
  const auto can_be_given = [&](Type type, NodeId side) {
    return type == Type::Real && stands_alone(model, side, true);
  };
  if (initial && (can_be_given(left_type, left) || can_be_given(right_type, right))) return true;
  return !has_variable(pool, left) && !has_variable(pool, right);
}

DiscreteEquation discrete_equation(Elaboration& all, const EquationSite& site, const std::string& which, NodeId left,
                                   NodeId right) {
  if (!discrete_variable_of(all.model, left) && discrete_variable_of(all.model, right)) std::swap(left, right);
  if (const Node node = all.pool[left]; node.op == Op::Not && discrete_variable_of(all.model, NodeId{node.a})) {
    left = NodeId{node.a};  // not b = c is b = not c
    right = negation(all.pool, right);
  }
  return {left, right, all.label(site, which), site.text, site.range};
}

void add_discrete_equation(const Environment& at, DiscreteEquation equation, bool initial) {
  Model& model = at.all.model;
  if (!is_possible(at, equation, initial)) return;
  for (NodeId* side : {&equation.left, &equation.right})
    *side = hold(model, with_relations_for_signs(at.all.pool, *side), at.all.events.quiet, equation.range);
  if (!initial && (varies(at.all.pool, equation.left) || varies(at.all.pool, equation.right))) {
    const NodeId alone = stands_alone(model, equation.left, false) ? equation.left : equation.right;
    const std::string name = name_of(model, alone);
    at.error(Code::WrongDiscreteEquation, equation.range,
             fmt::format("{} changes at events only, but {} would let it change continuously", name, equation.text))
        .note(fmt::format("write the equation in a when clause, which says at which events it holds{}",
                          at.all.events.quiet.empty() ? "" : "; relations in noEvent(...) cause no event"));
    return;
  }
  (initial ? model.discrete.initial_equations : model.discrete.equations).push_back(std::move(equation));
}

}  // namespace driftless::language
