#include "driftless/language/flatten.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {

namespace {

std::string in_quotes(const std::string& name) { return name.starts_with('\'') ? name : "'" + name + "'"; }

std::string string_literal(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

// What the text has no words for; empty if there is nothing.
std::string obstacle(const Model& model) {
  const auto has_call = [&](NodeId expression) {
    return any_node(*model.pool, expression, [&](NodeId id) { return (*model.pool)[id].op == Op::Call; });
  };
  const auto has_relation = [&](NodeId expression) {
    return any_node(*model.pool, expression, [&](NodeId id) {
      const Op op = (*model.pool)[id].op;
      const bool is_step = op == Op::Less || op == Op::LessEqual || op == Op::Floor || op == Op::Ceil;
      return is_step && varies(*model.pool, id);
    });
  };
  if (!model.discrete.has_relations_only()) return "discrete variables and events";
  if (!model.discrete.inputs.empty()) return "inputs";
  if (!model.smooth.empty()) return "smooth(...)";
  if (!model.final_equations.empty() || !model.guesses.empty()) return "conditions at the stop time";
  if (!model.invariants.empty()) return "invariants";
  for (const auto* list : {&model.equations, &model.initial_equations})
    for (const Equation& equation : *list) {
      if (equation.simplified) return "homotopy(...)";
      if (list == &model.equations && has_relation(equation.residual)) return "noEvent(...)";
      if (has_call(equation.residual)) return "functions with loops that depend on values";
    }
  return {};
}

class Flattener {
 public:
  explicit Flattener(const Model& model) : model_(model) {
    for (const Binding& binding : model.bindings) bindings_[{binding.of, binding.place}] = binding.value;
    names_.variable = [this](VarId id) { return in_quotes(model_[id].name); };
    names_.parameter = [this](ParamId id) { return in_quotes(model_[id].name); };
  }

  std::string write() {
    std::string plain = model_.name;
    std::erase(plain, '\'');
    const std::string name = in_quotes(plain);
    line(0, "//! base 0.1.0");
    line(0, "package " + name);
    line(1, "model " + name);
    for (std::size_t k = 0; k < model_.parameters.size(); ++k) declare_parameter(k);
    for (std::size_t k = 0; k < model_.variables.size(); ++k) declare_variable(k);
    section("initial equation", model_.initial_equations, true);
    section("equation", model_.equations, false);
    line(2, fmt::format("annotation(experiment({}));", fmt::join(experiment(), ", ")));
    line(1, "end " + name + ";");
    line(0, "end " + name + ";");
    return std::move(text_);
  }

  bool was_cut() const { return was_cut_; }

 private:
  void line(int depth, const std::string& content) { text_ += std::string(2 * depth, ' ') + content + "\n"; }

  std::string expression(NodeId node) {
    std::string text = to_string(*model_.pool, node, names_);
    was_cut_ |= text.ends_with("…");
    return text;
  }

  // The expression that gave the number, or the number.
  std::string number(Binding::Of of, std::size_t place, double value) {
    const auto bound = bindings_.find({of, place});
    return bound == bindings_.end() ? decimal(value) : expression(bound->second);
  }

  static std::string attributes(const std::vector<std::string>& list) {
    return list.empty() ? "" : fmt::format("({})", fmt::join(list, ", "));
  }

  static std::string description(const std::string& text) { return text.empty() ? "" : " " + string_literal(text); }

  // What has decided about sizes or branches cannot be changed any more.
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
    line(2, fmt::format("Real {}{}{};", in_quotes(variable.name), attributes(list), description(variable.description)));
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
    const auto belongs = [&](const Assertion& assertion) { return assertion.only_at_start == at_start; };
    if (equations.empty() && std::ranges::none_of(model_.assertions, belongs)) return;
    line(1, title);
    for (const Equation& equation : equations) line(2, equality(equation.residual) + ";");
    for (const Assertion& assertion : model_.assertions)
      if (belongs(assertion))
        line(2, fmt::format("assert({}, {}{});", expression(assertion.condition), string_literal(assertion.message),
                            assertion.level == AssertionLevel::Warning ? ", AssertionLevel.warning" : ""));
  }

  std::string equality(NodeId residual) {
    const Node node = (*model_.pool)[residual];
    if (node.op == Op::Sub) return expression(node.operand(0)) + " = " + expression(node.operand(1));
    return expression(residual) + " = 0";
  }

  std::vector<std::string> experiment() {
    const Experiment& given = model_.experiment;
    std::vector<std::string> list{"StartTime = " + number(Binding::Of::StartTime, 0, given.start),
                                  "StopTime = " + number(Binding::Of::StopTime, 0, given.stop)};
    if (given.tolerance) list.push_back("Tolerance = " + decimal(*given.tolerance));
    if (given.interval) list.push_back("Interval = " + decimal(*given.interval));
    return list;
  }

  const Model& model_;
  Names names_;
  std::map<std::pair<Binding::Of, std::size_t>, NodeId> bindings_;
  std::string text_;
  bool was_cut_ = false;
};

}  // namespace

std::optional<std::string> flatten(const Model& model, Diagnostics& diagnostics) {
  if (const std::string reason = obstacle(model); !reason.empty()) {
    diagnostics.error(Code::NotSupported, {}, fmt::format("not supported yet: flat text of a model with {}", reason));
    return std::nullopt;
  }
  const auto released = without_events(std::make_shared<const Model>(model));  // reading holds its relations again
  Flattener flattener(*released);
  std::string text = flattener.write();
  if (!flattener.was_cut()) return text;
  diagnostics.error(Code::NotSupported, {},
                    "not supported yet: flat text of an equation with several thousand letters");
  return std::nullopt;
}

}  // namespace driftless
