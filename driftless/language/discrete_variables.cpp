// Variables that change at events only.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

void mark(Scope& model, std::string_view name) {
  if (Component* component = find_in(*model.instance, name).component) component->assigned_in_when = true;
}

void mark_target(Scope& model, const ast::Expression& target) {
  if (const auto* reference = target.as<ast::Reference>()) mark(model, reference->parts.front().name.text);
  if (const auto* tuple = target.as<ast::Tuple>())
    for (const ast::ExpressionPtr& element : tuple->elements)
      if (element) mark_target(model, *element);
}

void mark_equations(Scope& model, const std::vector<ast::Equation>& equations, bool inside_when) {
  for (const ast::Equation& equation : equations) {
    if (const auto* equality = std::get_if<ast::Equality>(&equation.node)) {
      if (inside_when) mark_target(model, equality->left);
    } else if (const auto* loop = std::get_if<ast::ForEquation>(&equation.node)) {
      mark_equations(model, loop->body, inside_when);
    } else if (const auto* choice = std::get_if<ast::IfEquation>(&equation.node)) {
      for (const auto& branch : choice->branches) mark_equations(model, branch.body, inside_when);
      mark_equations(model, choice->otherwise, inside_when);
    } else if (const auto* when = std::get_if<ast::WhenEquation>(&equation.node)) {
      for (const auto& branch : when->branches) mark_equations(model, branch.body, true);
    }
  }
}

void mark_statements(Scope& model, const std::vector<ast::Statement>& statements) {
  for (const ast::Statement& statement : statements) {
    if (const auto* loop = std::get_if<ast::ForStatement>(&statement.node)) mark_statements(model, loop->body);
    if (const auto* choice = std::get_if<ast::IfStatement>(&statement.node)) {
      for (const auto& branch : choice->branches) mark_statements(model, branch.body);
      mark_statements(model, choice->otherwise);
    }
    if (const auto* when = std::get_if<ast::WhenStatement>(&statement.node))
      for (const auto& branch : when->branches)
        for (const std::string_view name : assigned_names(branch.body)) mark(model, name);
  }
}

DiscreteType discrete_type(Type type) {
  switch (type) {
    case Type::Integer: return DiscreteType::Integer;
    case Type::Boolean: return DiscreteType::Boolean;
    case Type::Enumeration: return DiscreteType::Enumeration;
    case Type::String: return DiscreteType::Enumeration;  // whose literals are all texts (texts.hpp)
    default: return DiscreteType::Real;
  }
}

// The variables that form a side, or whose negation does: the equation can determine one of them.
std::vector<std::size_t> variables_alone(const Model& model, const DiscreteEquation& equation) {
  std::vector<std::size_t> places;
  for (const NodeId side : {equation.left, equation.right}) {
    const Node& node = (*model.pool)[side];
    const auto place = discrete_value(model, node.op == Op::Not ? NodeId{node.a} : side);
    if (place && std::ranges::find(places, *place) == places.end()) places.push_back(*place);
  }
  return places;
}

// Groups of variables connected by equations such as a = b, so that the equations of the group can determine all of
// them but one; with one more, all.
class Groups {
 public:
  explicit Groups(std::size_t variables) : parent_(variables), is_full_(variables, false) {
    for (std::size_t k = 0; k < variables; ++k) parent_[k] = k;
  }

  // False if the variables are determined without this equation.
  bool add(const std::vector<std::size_t>& candidates) {
    if (candidates.empty()) return true;
    const std::size_t a = group_of(candidates.front()), b = group_of(candidates.back());
    if (is_full_[a] && is_full_[b]) return false;
    is_full_[a] = a == b || is_full_[a] || is_full_[b];
    parent_[b] = a;
    return true;
  }

  // True for one variable, the representative, of each undetermined group.
  bool lacks_an_equation(std::size_t variable) { return group_of(variable) == variable && !is_full_[variable]; }

 private:
  std::size_t group_of(std::size_t variable) {
    while (parent_[variable] != variable) variable = parent_[variable] = parent_[parent_[variable]];
    return variable;
  }

  std::vector<std::size_t> parent_;
  std::vector<bool> is_full_;
};

void refuse_surplus(Elaboration& all, const DiscreteEquation& equation, const std::vector<std::size_t>& candidates) {
  const DiscretePart& part = all.model.discrete;
  const DiscreteVariable& variable = part.variables[candidates.front()];
  Diagnostic& error =
      all.error(Code::TooManyEquations, equation.range,
                fmt::format("{} has no discrete variable left that it could determine: {} has a value without it",
                            equation.text, variable.name));
  const auto other = std::ranges::find_if(part.equations, [&](const DiscreteEquation& one) {
    return &one != &equation && std::ranges::count(variables_alone(all.model, one), candidates.front()) > 0;
  });
  if (other != part.equations.end()) error.note(fmt::format("by {}", other->text), other->range);
}

void refuse_missing(Elaboration& all, const DiscreteVariable& variable) {
  all.error(Code::TooFewEquations, variable.range,
            fmt::format("no equation and no when clause gives the discrete variable {} a value", variable.name))
      .note(fmt::format("write {0} = ... in a when clause or as an equation, or declare it as a parameter",
                        variable.name));
}

}  // namespace

void mark_assigned_in_when(Instance& instance) {
  for (Scope& layer : instance.layers) {
    const ast::LongClass* body = layer.body();
    if (!body) continue;
    for (const ast::EquationSection& section : body->equations) mark_equations(layer, section.equations, false);
    for (const ast::AlgorithmSection& section : body->algorithms) mark_statements(layer, section.statements);
  }
}

bool is_discrete(const Component& component) {
  if (component.kind != Component::Kind::Variable) return false;
  return component.type.type != Type::Real || component.assigned_in_when ||
         component.prefixes.variability == ast::Variability::Discrete;
}

void declare_discrete(Elaboration& all, Component& component, const Shape& shape) {
  Model& model = all.model;
  component.first = static_cast<int>(model.discrete.variables.size());
  const std::string name = shown_name(all, component);
  std::vector<NodeId> leaves;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count(shape)); ++k) {
    DiscreteVariable variable;
    variable.name = element_name(name, shape, k);
    variable.range = component.syntax->range;
    variable.description = component.syntax->comment.text;
    variable.unit = component.type.unit;
    variable.type = discrete_type(component.type.type);
    if (component.type.literals)
      for (const auto& literal : component.type.literals->literals) variable.literals.push_back(literal.name.text);
    variable.start = component.type.type == Type::Enumeration || component.type.type == Type::String ? 1.0 : 0.0;
    const std::size_t place = add_discrete_variable(model, std::move(variable));
    if (component.type.type == Type::String) all.text_variables.insert(place);
    if (component.type.is_clock) {
      all.clocks.variables.insert(place);
      model.discrete.variables[place].auxiliary = true;
    }
    leaves.push_back(all.pool.parameter(model.discrete.variables[place].value));
  }
  component.symbolic = Value(component.type.type, shape, std::move(leaves)).of_enumeration(component.type.enumeration);
}

std::optional<std::size_t> discrete_value(const Model& model, NodeId leaf) {
  const Node& node = (*model.pool)[leaf];
  if (node.op != Op::Parameter) return std::nullopt;
  const ParamId id{static_cast<std::int32_t>(node.a)};
  if (model[id].role != Parameter::Role::Discrete) return std::nullopt;
  // Their parameters were added one after the other.
  const auto& variables = model.discrete.variables;
  const auto found = std::ranges::lower_bound(variables, index(id), {}, [](const auto& v) { return index(v.value); });
  return static_cast<std::size_t>(found - variables.begin());
}

bool changes_during_run(const Model& model, NodeId expression) {
  const Pool& pool = *model.pool;
  return any_node(pool, expression, [&](NodeId id) {
    const Node& node = pool[id];
    if (node.op == Op::Parameter)
      return model[ParamId{static_cast<std::int32_t>(node.a)}].role != Parameter::Role::Given;
    return node.op == Op::Variable || node.op == Op::Time;
  });
}

std::string name_of(const Model& model, NodeId leaf) { return to_string(*model.pool, leaf, names_of(model)); }

void check_discrete_count(Elaboration& all) {
  const Model& model = all.model;
  Groups groups(model.discrete.variables.size());
  for (const DiscreteEquation& equation : model.discrete.equations) {
    const auto candidates = variables_alone(model, equation);
    if (!groups.add(candidates)) refuse_surplus(all, equation, candidates);
  }
  for (std::size_t k = 0; k < model.discrete.variables.size(); ++k)
    if (groups.lacks_an_equation(k)) refuse_missing(all, model.discrete.variables[k]);
}

}  // namespace driftless::language
