// A hash that distinguishes models by their names and numbers, and by the expressions of their equations, including
// functions. Nodes are renumbered among those that the model uses, because a pool contains others, too.
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "driftless/expr/function.hpp"
#include "driftless/sweep/numbers.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {
namespace {

std::vector<NodeId> roots_of(const Model& model) {
  std::vector<NodeId> roots;
  const auto add = [&](auto... nodes) { (roots.push_back(nodes), ...); };
  for (const auto* list : {&model.equations, &model.initial_equations, &model.final_equations})
    for (const Equation& equation : *list) {
      add(equation.residual);
      if (equation.simplified) add(*equation.simplified);
    }
  for (const Guess& guess : model.guesses) add(guess.value);
  for (const InvariantOfModel& invariant : model.invariants) add(invariant.value);
  for (const Assertion& assertion : model.assertions) add(assertion.condition);
  for (const Binding& binding : model.bindings) add(binding.value);
  const DiscretePart& part = model.discrete;
  for (const auto* list : {&part.equations, &part.initial_equations})
    for (const DiscreteEquation& equation : *list) add(equation.left, equation.right);
  for (const Held& held : part.held) add(held.expression);
  for (const Sampling& sampling : part.samplings) add(sampling.start, sampling.interval);
  for (const Reinit& reinit : part.reinits) add(reinit.condition, reinit.value);
  for (const Termination& termination : part.terminations) add(termination.condition);
  for (const EventAssertion& assertion : part.assertions) add(assertion.condition);
  for (const Delay& delay : part.delays) add(delay.expression, delay.time, delay.longest.value_or(delay.time));
  return roots;
}

class Sum {
 public:
  explicit Sum(const Model& model) : model_(model), pool_(*model.pool), number_(pool_.size(), 0) {}

  std::uint64_t value() {
    add(model_.name);
    for (const Variable& v : model_.variables)
      add(fmt::format("{} {} {} {} {} {} {}", v.name, v.start ? fmt::format("{}", *v.start) : "-", v.fixed, v.nominal,
                      v.min, v.max, static_cast<int>(v.state_select)));
    for (const Parameter& p : model_.parameters) add(fmt::format("{} {} {}", p.name, p.value, p.fixed));
    for (const DiscreteVariable& v : model_.discrete.variables)
      add(fmt::format("{} {} {}", v.name, v.start, static_cast<int>(v.type)));
    for (const Reinit& reinit : model_.discrete.reinits)
      add(fmt::format("{} {}", index(reinit.variable), reinit.order));
    add(fmt::format("{} {}", model_.experiment.start, model_.experiment.stop));
    const std::vector<NodeId> roots = roots_of(model_);
    for (const NodeId root : roots) reach(root);
    mark_operands();
    add_nodes();
    for (const NodeId root : roots) add(number_[index(root)]);
    return sum_;
  }

 private:
  void add(const std::string& text) { sum_ = stream_of(sum_, text); }
  void add(std::uint64_t number) { sum_ = stream_of(sum_ ^ number, ""); }

  void reach(NodeId id) { number_[index(id)] = 1; }

  // Operands have smaller handles than their users. The body of a function may have any handles, so another pass is
  // made after a function was found.
  void mark_operands() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = number_.size(); k-- > 0;) {
        if (number_[k] == 0) continue;
        const NodeId id{static_cast<std::uint32_t>(k)};
        NodeId buffer[3];
        for (const NodeId operand : pool_.operands(id, buffer)) reach(operand);
        if (pool_[id].op == Op::Call) again |= meet(pool_.call_site(pool_[id]).function);
      }
    }
  }

  // True if it is new. Statements are listed in the order of the text, each with its depth.
  bool meet(FunctionId id) {
    const auto k = static_cast<std::size_t>(index(id));
    if (k >= met_.size()) met_.resize(k + 1, false);
    if (met_[k]) return false;
    met_[k] = true;
    const Function& function = pool_.function(id);
    add(fmt::format("{} {} {}", function.name, function.inputs, function.locals));
    for (const int output : function.outputs) add(static_cast<std::uint64_t>(output));
    std::vector<std::pair<const Statement*, int>> ahead;
    const auto push = [&](const std::vector<Statement>& list, int depth) {
      for (std::size_t j = list.size(); j-- > 0;) ahead.emplace_back(&list[j], depth);
    };
    push(function.body, 0);
    while (!ahead.empty()) {
      const auto [statement, depth] = ahead.back();
      ahead.pop_back();
      add(fmt::format("{} {} {}", static_cast<int>(statement->kind), statement->target, depth));
      if (statement->kind == Statement::Kind::Assign || statement->kind == Statement::Kind::If ||
          statement->kind == Statement::Kind::While) {
        reach(statement->expression);
        statements_.push_back(statement->expression);
      }
      push(statement->otherwise, 2 * depth + 2);
      push(statement->body, 2 * depth + 1);
    }
    return true;
  }

  void add_nodes() {
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < number_.size(); ++k) {
      if (number_[k] == 0) continue;
      number_[k] = ++count;
      const NodeId id{static_cast<std::uint32_t>(k)};
      const Node& node = pool_[id];
      add(static_cast<std::uint64_t>(node.op));
      if (node.op == Op::Constant) add(std::bit_cast<std::uint64_t>(pool_.constant_value(id)));
      if (node.op == Op::Parameter || node.op == Op::Variable || node.op == Op::Local)
        add((static_cast<std::uint64_t>(node.a) << 32) | node.b);
      if (node.op == Op::Call) {
        const CallSite& site = pool_.call_site(node);
        add(pool_.function(site.function).name);
        add(static_cast<std::uint64_t>(site.output));
      }
      NodeId buffer[3];
      for (const NodeId operand : pool_.operands(id, buffer)) add(number_[index(operand)]);
    }
    for (const NodeId expression : statements_) add(number_[index(expression)]);
  }

  const Model& model_;
  const Pool& pool_;
  std::vector<std::uint64_t> number_;  // 0: not used by the model
  std::vector<bool> met_;              // functions
  std::vector<NodeId> statements_;     // expressions of their bodies
  std::uint64_t sum_ = 0;
};

}  // namespace

std::uint64_t fingerprint(const Model& model) { return Sum(model).value(); }

}  // namespace driftless::sweep
