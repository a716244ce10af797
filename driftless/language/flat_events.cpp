#include "driftless/language/flat_events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

namespace {

using Wanted = FlatExpressions::Wanted;
using Relations = FlatExpressions::Relations;

Wanted wanted_type(DiscreteType type) {
  switch (type) {
    case DiscreteType::Boolean: return Wanted::Boolean;
    case DiscreteType::Integer:
    case DiscreteType::Enumeration: return Wanted::Integer;
    case DiscreteType::Real: return Wanted::Real;
  }
  return Wanted::Real;
}

std::string declared_type(DiscreteType type) {
  switch (wanted_type(type)) {
    case Wanted::Boolean: return "Boolean";
    case Wanted::Integer: return "Integer";
    case Wanted::Real: return "discrete Real";
  }
  return {};
}

const ModelInput* input_of(const Model& model, std::size_t place) {
  const auto found = std::ranges::find(model.discrete.inputs, std::optional(place), &ModelInput::discrete);
  return found == model.discrete.inputs.end() ? nullptr : &*found;
}

class EventText {
 public:
  EventText(const Model& model, FlatExpressions& expressions)
      : model_(model), part_(model.discrete), pool_(*model.pool), expressions_(expressions) {}

  FlatLines lines() {
    for (const DiscreteEquation& equation : part_.equations)
      if (!is_equation_of_input(model_, equation.label)) write(equation);
    for (const Reinit& reinit : part_.reinits) {
      const std::string name = derivative_name(in_quotes(model_[reinit.variable].name), reinit.order);
      const std::string value = expressions_(reinit.value, Wanted::Real, Relations::AsTheyStand);
      write_when(reinit.condition, fmt::format("reinit({}, {});", name, value), true);
    }
    for (const Termination& end : part_.terminations)
      write_when(end.condition, fmt::format("terminate({});", string_literal(end.message)), true);
    for (const EventAssertion& assertion : part_.assertions)
      write_when(assertion.condition,
                 fmt::format("assert({}, {}{});", inside_when(assertion.condition, Wanted::Boolean),
                             string_literal(assertion.message), assertion.is_warning ? ", AssertionLevel.warning" : ""),
                 false);
    return std::move(lines_);
  }

 private:
  void write(const DiscreteEquation& equation) {
    const auto place = discrete_variable_of(model_, equation.left);
    const Wanted type = place ? wanted_type(part_.variables[*place].type) : Wanted::Real;
    const std::vector<std::string> triggers = triggers_of(equation.right);
    if (triggers.empty()) {
      lines_.push_back(fmt::format("{} = {};", expressions_(equation.left, type), expressions_(equation.right, type)));
      return;
    }
    begin_when(triggers);
    lines_.push_back(fmt::format("  {} = {};", expressions_(equation.left, type), inside_when(equation.right, type)));
    lines_.emplace_back("end when;");
  }

  void write_when(NodeId condition, const std::string& action, bool is_conditional) {
    const std::vector<std::string> triggers = triggers_of(condition);
    if (triggers.empty()) return;  // never
    begin_when(triggers);
    if (is_conditional) lines_.push_back(fmt::format("  if {} then", inside_when(condition, Wanted::Boolean)));
    lines_.push_back((is_conditional ? "    " : "  ") + action);
    if (is_conditional) lines_.emplace_back("  end if;");
    lines_.emplace_back("end when;");
  }

  void begin_when(const std::vector<std::string>& triggers) {
    lines_.push_back(triggers.size() == 1 ? fmt::format("when {} then", triggers.front())
                                          : fmt::format("when {{{}}} then", fmt::join(triggers, ", ")));
  }

  // The conditions of when clauses whose edges occur in the expression, and initial().
  std::vector<std::string> triggers_of(NodeId expression) {
    std::vector<std::string> list;
    for (const NodeId node : nodes_of(pool_, expression)) {
      const auto place = discrete_variable_of(model_, node);
      if (place && part_.variables[*place].auxiliary && !is_left_limit(node))
        list.push_back(expressions_.name_of(*place));
      if (part_.initial && node == pool_.parameter(*part_.initial)) list.emplace_back("initial()");
    }
    return list;
  }

  bool is_left_limit(NodeId leaf) const {
    return model_[ParamId{static_cast<std::int32_t>(pool_[leaf].a)}].role == Parameter::Role::Pre;
  }

  // At the start no edge of a when clause's condition is true.
  std::string inside_when(NodeId expression, Wanted type) {
    const NodeId at_start = pool_.parameter(*part_.initial);
    NodeMap<NodeId> made;
    for (const NodeId id : nodes_of(pool_, expression)) {
      NodeId buffer[3];
      std::vector<NodeId> operands;
      for (const NodeId operand : pool_.operands(id, buffer)) operands.push_back(made.at(operand));
      const auto place = discrete_variable_of(model_, id);
      const bool is_condition = place && part_.variables[*place].auxiliary && !is_left_limit(id);
      made.insert(id, is_condition       ? pool_.binary(Op::And, id, pool_.unary(Op::Not, at_start))
                      : operands.empty() ? id
                                         : with_operands(pool_, id, operands));
    }
    return expressions_(made.at(expression), type, Relations::AsTheyStand);
  }

  const Model& model_;
  const DiscretePart& part_;
  Pool& pool_;
  FlatExpressions& expressions_;
  FlatLines lines_;
};

}  // namespace

std::string string_literal(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

bool is_equation_of_input(const Model& model, const std::string& label) {
  return std::ranges::any_of(model.discrete.inputs, [&](const ModelInput& input) {
    return !input.declared && label == fmt::format("input {}", input.name);
  });
}

FlatLines flat_discrete_declarations(const Model& model, FlatExpressions& expressions) {
  FlatLines lines;
  for (std::size_t k = 0; k < model.discrete.variables.size(); ++k) {
    const DiscreteVariable& variable = model.discrete.variables[k];
    const Wanted type = wanted_type(variable.type);
    std::vector<std::string> list;
    if (!variable.unit.empty()) list.push_back("unit = " + string_literal(variable.unit));
    const auto bound = std::ranges::find_if(model.bindings, [&](const Binding& binding) {
      return binding.of == Binding::Of::DiscreteStart && binding.place == k;
    });
    list.push_back("start = " + (bound != model.bindings.end() ? expressions(bound->value, type)
                                 : type == Wanted::Boolean     ? (variable.start != 0.0 ? "true" : "false")
                                                               : decimal(variable.start)));
    if (variable.fixed) list.emplace_back("fixed = true");
    if (std::isfinite(variable.min) && type != Wanted::Boolean) list.push_back("min = " + decimal(variable.min));
    if (std::isfinite(variable.max) && type != Wanted::Boolean) list.push_back("max = " + decimal(variable.max));
    const bool is_input = input_of(model, k) != nullptr;
    const std::string description =
        variable.description.empty() || variable.auxiliary ? std::string() : " " + string_literal(variable.description);
    lines.push_back(fmt::format("{}{} {}({}){};", is_input ? "input " : "", declared_type(variable.type),
                                expressions.name_of(k), fmt::join(list, ", "), description));
  }
  return lines;
}

FlatLines flat_discrete_equations(const Model& model, FlatExpressions& expressions) {
  return EventText(model, expressions).lines();
}

FlatLines flat_initial_discrete_equations(const Model& model, FlatExpressions& expressions) {
  FlatLines lines;
  for (const DiscreteEquation& equation : model.discrete.initial_equations) {
    const auto place = discrete_variable_of(model, equation.left);
    const Wanted type = place ? wanted_type(model.discrete.variables[*place].type) : Wanted::Real;
    lines.push_back(fmt::format("{} = {};", expressions(equation.left, type, Relations::AsTheyStand),
                                expressions(equation.right, type, Relations::AsTheyStand)));
  }
  return lines;
}

}  // namespace driftless::language
