#include "driftless/reduce/observers.hpp"

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

// The expressions of a model, apart from its equations, that matter during a run.
std::vector<NodeId> expressions_beside_equations(const Model& model) {
  std::vector<NodeId> all;
  const DiscretePart& part = model.discrete;
  for (const InvariantOfModel& invariant : model.invariants) all.push_back(invariant.value);
  for (const Assertion& assertion : model.assertions) all.push_back(assertion.condition);
  for (const DiscreteEquation& equation : part.equations) all.insert(all.end(), {equation.left, equation.right});
  for (const Held& held : part.held) all.push_back(held.expression);
  for (const Reinit& reinit : part.reinits) all.insert(all.end(), {reinit.condition, reinit.value});
  for (const Termination& termination : part.terminations) all.push_back(termination.condition);
  for (const EventAssertion& assertion : part.assertions) all.push_back(assertion.condition);
  for (const Delay& delay : part.delays) all.insert(all.end(), {delay.expression, delay.time});
  return all;
}

class Search {
 public:
  Search(const Model& model, const std::vector<int>& defines)
      : model_(model), defined_by_(model.variables.size(), -1), needed_(model.variables.size(), false) {
    for (std::size_t i = 0; i < defines.size(); ++i)
      if (defines[i] >= 0) defined_by_[static_cast<std::size_t>(defines[i])] = static_cast<int>(i);
  }

  void need(NodeId expression) {
    for (const NodeId leaf : variables_of(*model_.pool, expression))
      need(VarId{static_cast<int>((*model_.pool)[leaf].a)});
  }

  void need(VarId variable) {
    const auto j = static_cast<std::size_t>(index(variable));
    if (needed_[j]) return;
    needed_[j] = true;
    if (defined_by_[j] >= 0) open_.push_back(defined_by_[j]);
  }

  std::vector<bool> finish() {
    while (!open_.empty()) {
      const int equation = open_.back();
      open_.pop_back();
      need(model_.equations[static_cast<std::size_t>(equation)].residual);
    }
    return std::move(needed_);
  }

 private:
  const Model& model_;
  std::vector<int> defined_by_;  // by variable
  std::vector<bool> needed_;
  std::vector<int> open_;  // equations whose variables are needed
};

}  // namespace

std::vector<bool> needed_variables(const Model& model, const std::vector<int>& defines) {
  Search search(model, defines);
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    if (defines[i] < 0) search.need(model.equations[i].residual);
  for (const NodeId expression : expressions_beside_equations(model)) search.need(expression);
  for (const ModelInput& input : model.discrete.inputs)
    if (index(input.variable) >= 0) search.need(input.variable);
  for (const Delay& delay : model.discrete.delays)
    for (const VarId variable : {delay.variable, delay.source}) search.need(variable);
  return search.finish();
}

std::vector<bool> observing_equations(const Reduced& reduced) {
  const Model& model = *reduced.model;
  std::vector<int> defines(model.equations.size(), -1);
  for (const Definition& definition : reduced.definitions) {
    const auto i = static_cast<std::size_t>(index(definition.equation));
    const auto j = static_cast<std::size_t>(index(definition.quantity.variable));
    if (i < defines.size() && definition.quantity.order == 0 && reduced.offsets.c[i] == 0 && reduced.offsets.d[j] == 0)
      defines[i] = index(definition.quantity.variable);
  }
  const std::vector<bool> needed = needed_variables(model, defines);
  std::vector<bool> observing(defines.size(), false);
  for (std::size_t i = 0; i < defines.size(); ++i)
    observing[i] = defines[i] >= 0 && !needed[static_cast<std::size_t>(defines[i])];
  return observing;
}

}  // namespace driftless
