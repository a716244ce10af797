#include "driftless/model/builder.hpp"
#include "driftless/model/delay.hpp"

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"

namespace driftless {

// The node of an expression of this model; for one of another model adds an error and returns nothing.
std::optional<NodeId> ModelBuilder::own(const Expr& expression, const std::string& label) {
  if (expression.pool() == nullptr || expression.pool() == model_.pool.get()) return expression.node_in(*model_.pool);
  diagnostics_.error(
      Code::ForeignExpression, {},
      fmt::format("{}: an expression of another model is used; every model has variables of its own", label));
  return {};
}

const DiscreteVariable* ModelBuilder::discrete_variable(const Expr& leaf, const char* operation) {
  const auto node = own(leaf, operation);
  if (!node) return nullptr;
  const auto place = discrete_variable_of(model_, *node);
  if (place && model_.pool->parameter(model_.discrete.variables[*place].value) == *node)
    return &model_.discrete.variables[*place];
  diagnostics_.error(Code::WrongArgument, {}, fmt::format("{} is for discrete variables", operation));
  return nullptr;
}

Expr ModelBuilder::discrete(std::string name, DiscreteOptions options) {
  DiscreteVariable variable;
  variable.name = std::move(name);
  variable.unit = std::move(options.unit);
  variable.description = std::move(options.description);
  variable.type = options.type;
  variable.literals = std::move(options.literals);
  variable.start = options.start;
  variable.fixed = options.fixed;
  const std::size_t place = add_discrete_variable(model_, std::move(variable));
  return {*model_.pool, model_.pool->parameter(model_.discrete.variables[place].value)};
}

void ModelBuilder::add(std::vector<DiscreteEquation>& to, const EquationSides& sides, std::string label,
                       const std::string& kind) {
  if (label.empty()) label = fmt::format("{} {}", kind, to.size() + 1);
  const auto left = own(sides.left, label), right = own(sides.right, label);
  if (!left || !right) return;
  const Names names = names_of(model_);
  std::string text =
      fmt::format("{} = {}", to_string(*model_.pool, *left, names), to_string(*model_.pool, *right, names));
  to.push_back({hold(model_, *left, quiet_), hold(model_, *right, quiet_), std::move(label), std::move(text), {}});
}

void ModelBuilder::discrete_equation(const EquationSides& sides, std::string label) {
  add(model_.discrete.equations, sides, std::move(label), "discrete equation");
}

void ModelBuilder::initial_discrete_equation(const EquationSides& sides, std::string label) {
  add(model_.discrete.initial_equations, sides, std::move(label), "initial discrete equation");
}

Expr ModelBuilder::pre(Expr discrete) {
  const DiscreteVariable* variable = discrete_variable(discrete, "pre");
  return variable ? Expr(*model_.pool, model_.pool->parameter(variable->pre)) : Expr();
}

Expr ModelBuilder::edge(Expr boolean) {
  const DiscreteVariable* variable = discrete_variable(boolean, "edge");
  return variable ? Expr(*model_.pool, driftless::edge(model_, *variable)) : Expr();
}

Expr ModelBuilder::change(Expr discrete) {
  const DiscreteVariable* variable = discrete_variable(discrete, "change");
  return variable ? Expr(*model_.pool, driftless::change(model_, *variable)) : Expr();
}

Expr ModelBuilder::when(Expr condition, std::string label) {
  if (label.empty()) label = fmt::format("when {}", model_.discrete.variables.size() + 1);
  const auto node = own(condition, label);
  if (!node) return {};
  std::string text = to_string(*model_.pool, *node, names_of(model_));
  return {*model_.pool, becomes_true(model_, hold(model_, *node, quiet_), std::move(text), std::move(label))};
}

Expr ModelBuilder::sample(Expr start, Expr interval) {
  const auto first = own(start, "sample"), width = own(interval, "sample");
  if (!first || !width) return {};
  const Names names = names_of(model_);
  const ParamId now = add_parameter(
      model_, Parameter::Role::Flag,
      fmt::format("sample({}, {})", to_string(*model_.pool, *first, names), to_string(*model_.pool, *width, names)),
      0.0);
  model_.discrete.samplings.push_back({*first, *width, now, {}});
  return {*model_.pool, model_.pool->parameter(now)};
}

Expr ModelBuilder::delay(Expr value, Expr time) {
  const auto now = own(value, "delay"), by = own(time, "delay");
  if (!now || !by) return {};
  if (varies(*model_.pool, *by)) {
    diagnostics_.error(Code::WrongArgument, {},
                       "delay: the time by which a value is delayed changes: give the longest delay as third argument");
    return {};
  }
  const Names names = names_of(model_);
  std::string text =
      fmt::format("delay({}, {})", to_string(*model_.pool, *now, names), to_string(*model_.pool, *by, names));
  return {*model_.pool, add_delay(model_, *now, *by, std::move(text))};
}

Expr ModelBuilder::delay(Expr value, Expr time, Expr longest) {
  const auto now = own(value, "delay"), by = own(time, "delay"), most = own(longest, "delay");
  if (!now || !by || !most) return {};
  if (varies(*model_.pool, *most)) {
    diagnostics_.error(Code::WrongArgument, {}, "delay: the longest delay must not change");
    return {};
  }
  const Names names = names_of(model_);
  std::string text = fmt::format("delay({}, {}, {})", to_string(*model_.pool, *now, names),
                                 to_string(*model_.pool, *by, names), to_string(*model_.pool, *most, names));
  return {*model_.pool, add_changing_delay(model_, *now, hold(model_, *by, quiet_), *most, std::move(text))};
}

Expr ModelBuilder::initial() { return {*model_.pool, model_.pool->parameter(initial_flag(model_))}; }

Expr ModelBuilder::terminal() { return {*model_.pool, model_.pool->parameter(terminal_flag(model_))}; }

void ModelBuilder::reinit(Expr condition, Expr variable, Expr value, std::string label) {
  if (label.empty()) label = fmt::format("reinit {}", model_.discrete.reinits.size() + 1);
  const auto when = own(condition, label), leaf = own(variable, label), to = own(value, label);
  if (!when || !leaf || !to) return;
  const Node node = (*model_.pool)[*leaf];
  if (node.op != Op::Variable) {
    diagnostics_.error(Code::WrongArgument, {}, fmt::format("{}: reinit is for variables that can be states", label));
    return;
  }
  const Names names = names_of(model_);
  std::string text =
      fmt::format("reinit({}, {})", to_string(*model_.pool, *leaf, names), to_string(*model_.pool, *to, names));
  model_.discrete.reinits.push_back({VarId{static_cast<std::int32_t>(node.a)},
                                     static_cast<int>(node.b),
                                     hold(model_, *when, quiet_),
                                     *to,
                                     std::move(label),
                                     std::move(text),
                                     {}});
}

void ModelBuilder::terminate(Expr condition, std::string message) {
  if (const auto node = own(condition, "terminate"))
    model_.discrete.terminations.push_back({hold(model_, *node, quiet_), std::move(message), {}});
}

Expr ModelBuilder::no_event(Expr value) {
  if (const auto node = own(value, "no_event")) add_quiet(*model_.pool, *node, quiet_);
  return value;
}

}  // namespace driftless
