#include "driftless/language/flat_expressions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

namespace {

bool is_step_op(Op op) { return op == Op::Less || op == Op::LessEqual || op == Op::Floor || op == Op::Ceil; }
bool is_truth_op(Op op) { return op >= Op::Less && op <= Op::Not; }

}  // namespace

std::string in_quotes(const std::string& name) { return name.starts_with('\'') ? name : "'" + name + "'"; }

FlatExpressions::FlatExpressions(const Model& model) : model_(model), pool_(growable(model.pool)) {
  names_.variable = [this](VarId id) { return in_quotes(model_[id].name); };
  names_.parameter = [this](ParamId id) { return texts_[static_cast<std::size_t>(index(id))]; };
  for (const Promise& promise : model.smooth) promises_.emplace(promise.expression, promise.derivatives);
  name_discrete_variables();
  name_parameters();
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k) helds_.push_back(held(k));
}

// Conditions of when clauses, whose names are their texts, get other names.
void FlatExpressions::name_discrete_variables() {
  std::set<std::string> taken;
  for (const Variable& variable : model_.variables) taken.insert(variable.name);
  for (const Parameter& parameter : model_.parameters) taken.insert(parameter.name);
  int conditions = 0;
  for (const DiscreteVariable& variable : model_.discrete.variables) {
    std::string name = variable.name;
    while (variable.auxiliary && (name == variable.name || taken.contains(name)))
      name = fmt::format("when_{}", ++conditions);
    discrete_names_.push_back(in_quotes(name));
  }
}

void FlatExpressions::name_parameters() {
  for (const Parameter& parameter : model_.parameters) texts_.push_back(in_quotes(parameter.name));
  const auto text = [&](ParamId id) -> std::string& { return texts_[static_cast<std::size_t>(index(id))]; };
  const DiscretePart& part = model_.discrete;
  for (std::size_t k = 0; k < part.variables.size(); ++k) {
    const DiscreteVariable& variable = part.variables[k];
    text(variable.value) = discrete_names_[k];
    text(variable.pre) = fmt::format("pre({})", discrete_names_[k]);
    for (const ParamId id : {variable.value, variable.pre}) {
      is_boolean_[index(id)] = variable.type == DiscreteType::Boolean;
      is_integer_[index(id)] = variable.type == DiscreteType::Integer || variable.type == DiscreteType::Enumeration;
    }
  }
  const auto flag = [&](ParamId id, std::string written) {
    text(id) = std::move(written);
    is_boolean_[index(id)] = true;
  };
  if (part.initial) flag(*part.initial, "initial()");
  if (part.terminal) flag(*part.terminal, "terminal()");
  for (std::size_t k = 0; k < part.held.size(); ++k) held_places_.emplace(index(part.held[k].held), k);
  for (const Sampling& sampling : part.samplings)
    flag(sampling.now, fmt::format("sample({}, {})", (*this)(sampling.start), (*this)(sampling.interval)));
}

void FlatExpressions::enter_function(std::vector<std::string> slots, std::map<NodeId, std::string> parameters) {
  slots_ = std::move(slots);
  parameter_inputs_ = std::move(parameters);
  known_.clear();
}

NodeId FlatExpressions::with_text(std::string text) {
  const auto known = parameter_of_text_.find(text);
  if (known != parameter_of_text_.end()) return known->second;
  const NodeId node = pool_->parameter(ParamId{static_cast<std::int32_t>(texts_.size())});
  parameter_of_text_.emplace(text, node);
  texts_.push_back(std::move(text));
  return node;
}

NodeId FlatExpressions::truth(bool value) {
  const NodeId node = with_text(value ? "true" : "false");
  by_node_.emplace(node, Made{node, true});
  return node;
}

std::string FlatExpressions::print(NodeId node) {
  std::string text = to_string(*pool_, node, names_);
  was_cut_ |= text.ends_with("…");
  return text;
}

std::string FlatExpressions::operator()(NodeId expression, Wanted wanted_type, Relations relations) {
  for (const NodeId id : nodes_of(*model_.pool, expression))
    if (!known_.contains({id, relations})) {
      const Made made = rebuilt(id, relations);
      known_.emplace(std::pair(id, relations), made);
      by_node_.emplace(made.node, made);
    }
  return print(wanted(known_.at({expression, relations}), wanted_type));
}

// Converts a choice to the wanted type, innermost alternatives first.
NodeId FlatExpressions::wanted(const Made& made, Wanted type) {
  if (type == Wanted::Real) return number(made);
  std::set<NodeId> found{made.node};
  std::vector<NodeId> open{made.node};
  while (!open.empty()) {
    const Node node = (*pool_)[open.back()];
    open.pop_back();
    if (node.op != Op::IfElse) continue;
    for (const int k : {1, 2})
      if (found.insert(node.operand(k)).second) open.push_back(node.operand(k));
  }
  std::map<NodeId, NodeId> converted;
  for (const NodeId id : found) {
    const Node node = (*pool_)[id];
    const auto known = by_node_.find(id);
    const Made own = known == by_node_.end() ? Made{id, is_truth_op(node.op)} : known->second;
    if (node.op == Op::IfElse)
      converted[id] = pool_->if_else(node.operand(0), converted.at(node.operand(1)), converted.at(node.operand(2)));
    else if (type == Wanted::Boolean)
      converted[id] = boolean(own);
    else
      converted[id] = own.is_integer ? id : with_text(fmt::format("integer({})", print(number(own))));
  }
  return converted.at(made.node);
}

NodeId FlatExpressions::boolean(const Made& made) {
  if (made.is_boolean) return made.node;
  if (pool_->is_constant(made.node)) return truth(pool_->constant_value(made.node) != 0.0);
  return pool_->binary(Op::NotEqual, made.node, pool_->zero());
}

NodeId FlatExpressions::number(const Made& made) {
  return made.is_boolean ? pool_->if_else(made.node, pool_->one(), pool_->zero()) : made.node;
}

FlatExpressions::Made FlatExpressions::rebuilt(NodeId id, Relations relations) {
  const Node node = (*model_.pool)[id];
  if (arity(node.op) == 0 && node.op != Op::Call) return leaf(id);
  const Made made = node.op == Op::Call ? call(id, relations) : operation(id, relations);
  const auto promise = promises_.find(id);
  if (promise == promises_.end() || made.is_boolean) return made;
  return {with_text(fmt::format("smooth({}, {})", promise->second, print(made.node)))};
}

FlatExpressions::Made FlatExpressions::leaf(NodeId id) {
  const Node node = (*model_.pool)[id];
  if (node.op == Op::Local) return {with_text(slots_[node.a])};
  if (node.op == Op::Constant) {
    const double value = pool_->constant_value(id);
    return {id, false, std::floor(value) == value && std::abs(value) < 1e9};
  }
  if (node.op != Op::Parameter) return {id};
  if (const auto own = parameter_inputs_.find(id); own != parameter_inputs_.end()) return {with_text(own->second)};
  const auto parameter = static_cast<std::int32_t>(node.a);
  if (const auto place = held_places_.find(parameter); place != held_places_.end()) return helds_[place->second];
  const auto is = [&](const std::unordered_map<std::int32_t, bool>& list) {
    const auto found = list.find(parameter);
    return found != list.end() && found->second;
  };
  return {id, is(is_boolean_), is(is_integer_)};
}

// A relation that causes events is written as it is, because reading holds it again. It contains only relations held
// earlier.
FlatExpressions::Made FlatExpressions::held(std::size_t place) {
  const Held& relation = model_.discrete.held[place];
  const Op op = (*model_.pool)[relation.expression].op;
  const Node node = (*model_.pool)[relation.expression];
  std::vector<std::string> operands;
  for (int k = 0; k < arity(op); ++k) operands.push_back((*this)(node.operand(k)));
  if (op == Op::Floor) return {with_text(fmt::format("integer({})", operands[0])), false, true};
  if (op == Op::Ceil) return {with_text(fmt::format("ceil({})", operands[0]))};
  return {with_text(fmt::format("({} {} {})", operands[0], op == Op::Less ? "<" : "<=", operands[1])), true};
}

FlatExpressions::Made FlatExpressions::operation(NodeId id, Relations relations) {
  const Node node = (*model_.pool)[id];
  if (node.op == Op::IfElse) return choice(node, relations);
  const auto made = [&](int k) { return known_.at({node.operand(k), relations}); };
  if (node.op == Op::Equal || node.op == Op::NotEqual) return equality(node.op, made(0), made(1));
  if (node.op == Op::And || node.op == Op::Or)
    return {pool_->binary(node.op, boolean(made(0)), boolean(made(1))), true};
  if (node.op == Op::Not) return {pool_->unary(Op::Not, boolean(made(0))), true};
  std::vector<NodeId> operands;
  bool is_integer = node.op == Op::Neg || node.op == Op::Add || node.op == Op::Sub || node.op == Op::Mul ||
                    node.op == Op::Abs || node.op == Op::Min || node.op == Op::Max;
  for (int k = 0; k < arity(node.op); ++k) {
    is_integer = is_integer && made(k).is_integer;
    operands.push_back(number(made(k)));
  }
  const NodeId same =
      arity(node.op) == 1 ? pool_->unary(node.op, operands[0]) : pool_->binary(node.op, operands[0], operands[1]);
  const bool is_quiet = relations == Relations::Quiet && is_step_op(node.op) && varies(*model_.pool, id);
  if (!is_quiet) return {same, is_truth_op(node.op), is_integer};
  return {with_text(fmt::format("noEvent({})", print(same))), is_truth_op(node.op)};
}

FlatExpressions::Made FlatExpressions::choice(const Node& node, Relations relations) {
  const auto made = [&](int k) { return known_.at({node.operand(k), relations}); };
  const Made a = made(1), b = made(2);
  const bool is_boolean = a.is_boolean || b.is_boolean;
  const NodeId condition = boolean(made(0));
  if (is_boolean) return {pool_->if_else(condition, wanted(a, Wanted::Boolean), wanted(b, Wanted::Boolean)), true};
  return {pool_->if_else(condition, a.node, b.node), false, a.is_integer && b.is_integer};
}

FlatExpressions::Made FlatExpressions::equality(Op op, Made a, Made b) {
  const bool of_booleans = a.is_boolean || b.is_boolean;
  if (of_booleans) return {pool_->binary(op, boolean(a), boolean(b)), true};
  return {pool_->binary(op, a.node, b.node), true};
}

FlatExpressions::Made FlatExpressions::call(NodeId id, Relations relations) {
  const CallSite site = model_.pool->call_site((*model_.pool)[id]);
  const auto [place, fresh] = function_places_.try_emplace({site.function, site.output}, functions_.size());
  if (fresh) {
    std::string name = model_.pool->function(site.function).name;
    std::ranges::replace(name, '\'', '_');
    functions_.push_back({site.function, site.output, in_quotes(fmt::format("{} ({})", name, functions_.size() + 1))});
  }
  std::vector<std::string> arguments;
  for (const NodeId argument : site.arguments) arguments.push_back(print(number(known_.at({argument, relations}))));
  for (const NodeId parameter : parameters_of(site.function)) {
    const auto own = parameter_inputs_.find(parameter);
    arguments.push_back(own == parameter_inputs_.end() ? print(number(leaf(parameter))) : own->second);
  }
  return {with_text(fmt::format("{}({})", functions_[place->second].name, fmt::join(arguments, ", ")))};
}

const std::vector<NodeId>& FlatExpressions::parameters_of(FunctionId id) {
  const auto [place, fresh] = parameters_of_.try_emplace(id);
  if (!fresh) return place->second;
  std::set<NodeId> found;
  std::vector<const std::vector<Statement>*> open{&model_.pool->function(id).body};
  while (!open.empty()) {
    const std::vector<Statement>& list = *open.back();
    open.pop_back();
    for (const Statement& statement : list) {
      open.push_back(&statement.body);
      open.push_back(&statement.otherwise);
      if (statement.kind == Statement::Kind::Return || statement.kind == Statement::Kind::Break) continue;
      for (const NodeId node : nodes_of(*model_.pool, statement.expression)) {
        if ((*model_.pool)[node].op == Op::Parameter) found.insert(node);
        if ((*model_.pool)[node].op != Op::Call) continue;
        const std::vector<NodeId>& inner = parameters_of(model_.pool->call_site((*model_.pool)[node]).function);
        found.insert(inner.begin(), inner.end());
      }
    }
  }
  return parameters_of_[id] = {found.begin(), found.end()};
}

}  // namespace driftless::language
