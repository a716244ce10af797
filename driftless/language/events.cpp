// Relations and left limits, once all equations are written.
#include "driftless/language/events.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

Reached::Reached(Elaboration& all, NodeId condition) : all_(all), outer_(all.events.reached) {
  all.events.reached = outer_ ? conjunction(all.pool, *outer_, condition) : condition;
}

Reached::~Reached() { all_.events.reached = outer_; }

// Elements share most of their nodes, so one walk serves all of them.
void add_quiet(const Pool& pool, const Value& value, QuietNodes& quiet) {
  std::unordered_set<NodeId> seen;
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (id != unassigned && seen.insert(id).second) open.push_back(id);
  };
  for (const NodeId element : value.elements()) visit(element);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const Op op = pool[id].op;
    if (op == Op::Less || op == Op::LessEqual || op == Op::Floor || op == Op::Ceil) quiet.insert(id);
    NodeId buffer[3];
    for (const NodeId operand : pool.operands(id, buffer)) visit(operand);
  }
}

void note_quiet_relations(Elaboration& all, const std::vector<Equation>& equations, std::size_t first) {
  if (!all.events.quiet.empty())
    for (std::size_t k = first; k < equations.size(); ++k)
      all.events.quiet_of[equations[k].residual].insert(all.events.quiet.begin(), all.events.quiet.end());
  all.events.quiet.clear();
}

namespace {

// A variable that is differentiated does not jump at an event before the reinits are carried out, so its left limit is
// its value. Others may jump.
void check_left_limits(Elaboration& all) {
  if (all.events.left_limits.empty()) return;
  const std::vector<bool> is_differentiated = differentiated(all);
  for (const auto& [variable, range] : all.events.left_limits)
    if (!is_differentiated[static_cast<std::size_t>(index(variable))])
      all.events.jumping.insert(all.model[variable].name);
}

void hold_relations(Elaboration& all) {
  const QuietNodes nothing;
  const auto held = [&](NodeId residual, SourceRange range) {
    const auto known = all.events.quiet_of.find(residual);
    return hold(all.model, residual, known == all.events.quiet_of.end() ? nothing : known->second, range);
  };
  for (Equation& equation : all.model.equations) {
    equation.residual = held(equation.residual, equation.range);
    if (equation.simplified) equation.simplified = held(*equation.simplified, equation.range);
  }
}

}  // namespace

void refuse_left_limit(Elaboration& all, VarId y, SourceRange range) {
  all.error(Code::NotDiscrete, range,
            fmt::format("pre is for discrete variables, for variables whose derivative occurs, and for those that an "
                        "equation gives explicitly, but {} is none",
                        all.model[y].name))
      .note(fmt::format("declare a discrete Real and let a when clause give it the value of {0}; or write {0} for "
                        "its value at the event",
                        all.model[y].name));
}

// The texts of String variables are known when all equations are.
static void finish_texts(Elaboration& all) {
  DiscretePart& part = all.model.discrete;
  const auto is_text = [&](NodeId side) {
    const auto place = discrete_variable_of(all.model, side);
    return place && all.text_variables.contains(*place);
  };
  for (const auto* list : {&part.equations, &part.initial_equations})
    for (const DiscreteEquation& equation : *list)
      if (is_text(equation.left) && has_indefinite_text(all, equation.right))
        all.not_supported(equation.range, "a String made of values that are known only during the run");
  for (const std::size_t place : all.text_variables) part.variables[place].literals = all.texts.literals();
}

void finish_events(Elaboration& all) {
  if (all.has_errors()) return;
  finish_texts(all);
  hold_relations(all);
  define_left_limits(all);
  finish_clocks(all);
  if (all.has_errors()) return;
  check_left_limits(all);
  check_discrete_count(all);
}

}  // namespace driftless::language
