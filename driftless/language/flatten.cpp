#include "driftless/language/flatten.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/language/flat_events.hpp"
#include "driftless/language/flat_functions.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {

namespace {

using language::FlatExpressions;
using language::in_quotes;
using language::string_literal;
using Relations = FlatExpressions::Relations;
using Wanted = FlatExpressions::Wanted;

// What the text cannot express; empty if there is nothing.
std::string obstacle(const Model& model) {
  if (!model.discrete.delays.empty()) return "delay(...)";
  if (!model.guesses.empty()) return "guesses";
  for (const auto* list : {&model.equations, &model.initial_equations})
    for (const Equation& equation : *list)
      for (const NodeId node : nodes_of(*model.pool, equation.residual))
        if ((*model.pool)[node].op == Op::Call &&
            exact_derivatives(*model.pool, model.pool->call_site((*model.pool)[node]).function) >= 0)
          return "external functions";
  return {};
}

class Flattener {
 public:
  explicit Flattener(const Model& model) : model_(model), expression_(model) {
    for (const Binding& binding : model.bindings) bindings_[{binding.of, binding.place}] = binding.value;
  }

  std::string write() {
    std::string plain = model_.name;
    std::erase(plain, '\'');
    const std::string name = in_quotes(plain);
    line(1, "model " + name);
    for (std::size_t k = 0; k < model_.parameters.size(); ++k) declare_parameter(k);
    for (std::size_t k = 0; k < model_.variables.size(); ++k) declare_variable(k);
    lines(2, language::flat_discrete_declarations(model_, expression_));
    section("initial equation", model_.initial_equations, true);
    section("equation", model_.equations, false);
    line(2, fmt::format("annotation({});", fmt::join(annotations(), ", ")));
    line(1, "end " + name + ";");
    // Functions come first in the text, but only now is it known which ones are called.
    const std::string functions = language::flat_functions(model_, expression_);
    return "//! base 0.1.0\npackage " + name + "\n" + functions + text_ + "end " + name + ";\n";
  }

  bool was_cut() const { return expression_.was_cut(); }

 private:
  void line(int depth, const std::string& content) {
    text_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + content + "\n";
  }
  void lines(int depth, const language::FlatLines& contents) {
    for (const std::string& content : contents) line(depth, content);
  }

  // The expression that gave the number, or the number.
  std::string number(Binding::Of of, std::size_t place, double value) {
    const auto bound = bindings_.find({of, place});
    return bound == bindings_.end() ? decimal(value) : expression_(bound->second);
  }

  static std::string attributes(const std::vector<std::string>& list) {
    return list.empty() ? "" : fmt::format("({})", fmt::join(list, ", "));
  }

  static std::string description(const std::string& text) { return text.empty() ? "" : " " + string_literal(text); }

  // Parameters that have decided sizes or branches cannot be changed any more.
  void declare_parameter(std::size_t k) {
    const Parameter& parameter = model_.parameters[k];
    if (parameter.role != Parameter::Role::Given) return;
    std::vector<std::string> list;
    if (!parameter.unit.empty()) list.push_back("unit = " + string_literal(parameter.unit));
    if (parameter.nominal != 1.0) list.push_back("nominal = " + decimal(parameter.nominal));
    if (!parameter.fixed) list.push_back("fixed = false");
    line(2, fmt::format("{}parameter Real {}{} = {}{};", parameter.structural ? "final " : "",
                        in_quotes(parameter.name), attributes(list), number(Binding::Of::Parameter, k, parameter.value),
                        description(parameter.description)));
  }

  const ModelInput* input_of(std::size_t variable) const {
    for (const ModelInput& input : model_.discrete.inputs)
      if (!input.discrete && index(input.variable) == static_cast<std::int32_t>(variable)) return &input;
    return nullptr;
  }

  void declare_variable(std::size_t k) {
    const Variable& variable = model_.variables[k];
    std::vector<std::string> list;
    if (!variable.unit.empty()) list.push_back("unit = " + string_literal(variable.unit));
    if (variable.start) list.push_back("start = " + number(Binding::Of::Start, k, *variable.start));
    if (variable.fixed) list.emplace_back("fixed = true");
    if (variable.nominal != 1.0) list.push_back("nominal = " + decimal(variable.nominal));
    if (std::isfinite(variable.min)) list.push_back("min = " + number(Binding::Of::Min, k, variable.min));
    if (std::isfinite(variable.max)) list.push_back("max = " + number(Binding::Of::Max, k, variable.max));
    if (variable.state_select != StateSelect::Default)
      list.push_back("stateSelect = StateSelect." + select_name(variable.state_select));
    const ModelInput* input = input_of(k);
    line(2, fmt::format("{}Real {}{}{}{};", input ? "input " : "", in_quotes(variable.name), attributes(list),
                        input && input->declared ? " = " + declared_value(*input) : std::string(),
                        description(variable.description)));
  }

  // input Real u = e: the right side of the equation that gives it its value.
  std::string declared_value(const ModelInput& input) {
    const NodeId residual = model_.equations[*input.declared].residual;
    const Node node = (*model_.pool)[residual];
    const NodeId leaf = model_.pool->variable(input.variable);
    if (node.op == Op::Sub && node.operand(0) == leaf) return real(node.operand(1));
    return real(model_.pool->sub(leaf, residual));
  }

  bool is_written(std::size_t k, const Equation& equation) const {
    const bool is_declaration = std::ranges::any_of(
        model_.discrete.inputs, [&](const ModelInput& input) { return input.declared == std::optional(k); });
    return !is_declaration && !language::is_equation_of_input(model_, equation.label);
  }

  static std::string select_name(StateSelect select) {
    switch (select) {
      case StateSelect::Never: return "never";
      case StateSelect::Avoid: return "avoid";
      case StateSelect::Prefer: return "prefer";
      case StateSelect::Always: return "always";
      default: return "default";
    }
  }

  void section(const std::string& title, const std::vector<Equation>& equations, bool at_start) {
    const language::FlatLines discrete = at_start ? language::flat_initial_discrete_equations(model_, expression_)
                                                  : language::flat_discrete_equations(model_, expression_);
    const auto belongs = [&](const Assertion& assertion) { return assertion.only_at_start == at_start; };
    if (equations.empty() && discrete.empty() && std::ranges::none_of(model_.assertions, belongs)) return;
    line(1, title);
    relations_ = at_start ? Relations::AsTheyStand : Relations::Quiet;
    for (std::size_t k = 0; k < equations.size(); ++k)
      if (at_start || is_written(k, equations[k])) line(2, equality(equations[k]) + ";");
    lines(2, discrete);
    for (const Assertion& assertion : model_.assertions)
      if (belongs(assertion))
        line(2,
             fmt::format("assert({}, {}{});", expression_(assertion.condition, Wanted::Boolean, Relations::AsTheyStand),
                         string_literal(assertion.message),
                         assertion.level == AssertionLevel::Warning ? ", AssertionLevel.warning" : ""));
  }

  std::string real(NodeId node) { return expression_(node, Wanted::Real, relations_); }

  std::string equality(const Equation& equation) {
    const Node node = (*model_.pool)[equation.residual];
    if (equation.simplified)
      return fmt::format("homotopy({}, {}) = 0", real(equation.residual), real(*equation.simplified));
    if (node.op == Op::Sub) return real(node.operand(0)) + " = " + real(node.operand(1));
    return real(equation.residual) + " = 0";
  }

  // Invariants are not named like variables: quotes would be part of their names.
  static std::string invariant_name(const std::string& name) {
    const bool is_plain =
        std::ranges::all_of(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
    return is_plain && !std::isdigit(static_cast<unsigned char>(name.front())) ? name : in_quotes(name);
  }

  std::vector<std::string> annotations() {
    const Experiment& given = model_.experiment;
    std::vector<std::string> list{"StartTime = " + number(Binding::Of::StartTime, 0, given.start),
                                  "StopTime = " + number(Binding::Of::StopTime, 0, given.stop)};
    if (given.tolerance) list.push_back("Tolerance = " + decimal(*given.tolerance));
    if (given.interval) list.push_back("Interval = " + decimal(*given.interval));
    std::vector<std::string> all{fmt::format("experiment({})", fmt::join(list, ", "))};
    std::vector<std::string> own, invariants, finals;
    for (const InvariantOfModel& invariant : model_.invariants)
      invariants.push_back(fmt::format("{} = {}", invariant_name(invariant.name), real(invariant.value)));
    for (const Equation& equation : model_.final_equations)
      finals.push_back(fmt::format("{} == 0", real(equation.residual)));
    if (!invariants.empty()) own.push_back(fmt::format("invariants({})", fmt::join(invariants, ", ")));
    if (!finals.empty()) own.push_back(fmt::format("finalEquations = {{{}}}", fmt::join(finals, ", ")));
    if (!own.empty()) all.push_back(fmt::format("__Driftless({})", fmt::join(own, ", ")));
    return all;
  }

  const Model& model_;
  FlatExpressions expression_;
  Relations relations_ = Relations::Quiet;
  std::map<std::pair<Binding::Of, std::size_t>, NodeId> bindings_;
  std::string text_;
};

}  // namespace

std::optional<std::string> flatten(const Model& model, Diagnostics& diagnostics) {
  if (const std::string reason = obstacle(model); !reason.empty()) {
    diagnostics.error(Code::NotSupported, {}, fmt::format("not supported yet: flat text of a model with {}", reason));
    return std::nullopt;
  }
  Model copy = model;
  copy.pool = growable(model.pool);
  initial_flag(copy);
  Flattener flattener(copy);
  std::string text = flattener.write();
  if (!flattener.was_cut()) return text;
  diagnostics.error(Code::NotSupported, {},
                    "not supported yet: flat text of an equation with several thousand letters");
  return std::nullopt;
}

}  // namespace driftless
