#include "driftless/language/clock_partitions.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless::language {

ClockPartitions::ClockPartitions(Elaboration& all)
    : all_(all),
      variables_(all.model.variables.size()),
      discrete_(all.model.discrete.variables.size()),
      parent_(variables_ + discrete_ + all.clocks.marks.size()),
      clocked_(parent_.size(), false),
      known_(all.clocks.marks.size(), false) {
  for (std::size_t k = 0; k < parent_.size(); ++k) parent_[k] = k;
  const Model& model = all.model;
  for (const Equation& equation : model.equations) take(equation.residual);
  for (const DiscreteEquation& equation : model.discrete.equations) take(equation.left, equation.right);
  for (const Reinit& reinit : model.discrete.reinits) take(reinit.value), take(reinit.condition);
  take_clauses();
  for (std::size_t next = 0; next < used_.size(); ++next) take_mark(used_[next]);  // which may add others
  std::ranges::sort(used_);
  for (const std::size_t place : all.clocks.variables) clocked_[variables_ + place] = true;
  for (std::size_t k = 0; k < parent_.size(); ++k)
    if (clocked_[k]) clocked_[root(k)] = true;
}

std::size_t ClockPartitions::root(std::size_t member) {
  while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
  return member;
}

void ClockPartitions::unite(std::span<const std::size_t> members) {
  for (const std::size_t member : members) parent_[root(member)] = root(members.front());
}

// Variables, discrete variables and marks; those of a relation that is held count as well.
void ClockPartitions::members_of(NodeId expression, std::vector<std::size_t>& members) {
  const Pool& pool = all_.pool;
  std::vector<NodeId> open{expression};
  std::vector<NodeId> seen_relations;
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    for (const NodeId id : nodes_of(pool, next)) {
      const Node& node = pool[id];
      if (node.op == Op::Variable) members.push_back(node.a);
      if (node.op != Op::Parameter) continue;
      if (const auto place = discrete_variable_of(all_.model, id)) members.push_back(variables_ + *place);
      const auto parameter = static_cast<std::int32_t>(node.a);
      if (const auto mark = all_.clocks.mark_of.find(parameter); mark != all_.clocks.mark_of.end()) {
        members.push_back(variables_ + discrete_ + mark->second);
        if (!known_[mark->second]) used_.push_back(mark->second);
        known_[mark->second] = true;
      }
      if (all_.model[ParamId{parameter}].role != Parameter::Role::Held) continue;
      const auto held = std::ranges::find(all_.model.discrete.held, ParamId{parameter}, &Held::held);
      if (held != all_.model.discrete.held.end() && std::ranges::find(seen_relations, id) == seen_relations.end()) {
        seen_relations.push_back(id);
        open.push_back(held->expression);
      }
    }
  }
}

void ClockPartitions::take(NodeId left, std::optional<NodeId> right) {
  std::vector<std::size_t> members;
  members_of(left, members);
  if (right) members_of(*right, members);
  unite(members);
}

void ClockPartitions::take_clauses() {
  for (const ClockedClause& clause : all_.clocks.clauses) {
    std::vector<std::size_t> members;
    if (clause.clock) members_of(*clause.clock, members);
    for (std::size_t k = clause.first_continuous; k < clause.end_continuous; ++k)
      members_of(all_.model.equations[k].residual, members);
    for (std::size_t k = clause.first_discrete; k < clause.end_discrete; ++k)
      for (const NodeId side : {all_.model.discrete.equations[k].left, all_.model.discrete.equations[k].right})
        members_of(side, members);
    unite(members);
    for (const std::size_t member : members) clocked_[member] = true;
  }
}

// Records the result and the argument, and which of them the operator puts into one partition.
void ClockPartitions::take_mark(std::size_t mark) {
  const ClockMark& of = all_.clocks.marks[mark];
  const std::size_t result = variables_ + discrete_ + mark;
  std::vector<std::size_t> argument;
  if (of.argument) members_of(*of.argument, argument);
  unite(argument);
  if (of.op != ClockOperator::Hold) clocked_[result] = true;
  if (of.op != ClockOperator::Sample && of.op != ClockOperator::Event)
    for (const std::size_t member : argument) clocked_[member] = true;
  std::vector<std::size_t> tied{result};
  if (of.op == ClockOperator::Previous || of.op == ClockOperator::Interval || of.op == ClockOperator::FirstTick)
    tied.insert(tied.end(), argument.begin(), argument.end());
  if (of.clock) members_of(*of.clock, tied);
  unite(tied);
}

std::optional<std::size_t> ClockPartitions::of_expression(NodeId expression) {
  std::vector<std::size_t> members;
  members_of(expression, members);
  return members.empty() ? std::nullopt : std::optional(root(members.front()));
}

std::optional<std::size_t> ClockPartitions::of_equation(const DiscreteEquation& equation) {
  const auto left = of_expression(equation.left);
  return left ? left : of_expression(equation.right);
}

bool find_clocked_components(Elaboration& all, const Flat& flat) {
  if (!all.clocks.any()) return false;
  ClockPartitions partitions(all);
  bool is_new = false;
  for (const Component* component : flat.components) {
    if (component->kind != Component::Kind::Variable || component->first < 0 || is_discrete(*component)) continue;
    for (std::size_t k = 0; k < component->symbolic.size(); ++k)
      if (partitions.is_clocked(partitions.of_variable(static_cast<std::size_t>(component->first) + k)))
        is_new = all.clocks.clocked.insert(component->name()).second || is_new;
  }
  return is_new;
}

}  // namespace driftless::language
