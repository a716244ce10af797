// At which events the branches of a when clause are active.
#include <fmt/format.h>

#include "driftless/language/when.hpp"

namespace driftless::language {

namespace {

bool is_initial_flag(const Model& model, NodeId node) {
  return model.discrete.initial && model.pool->parameter(*model.discrete.initial) == node;
}

// Refuses a condition without events of its own, which would be evaluated only at other events.
void refuse_quiet_condition(const Environment& at, const std::string& text, SourceRange range) {
  at.error(Code::WrongDiscreteEquation, range,
           fmt::format("no event tells when {} becomes true: it varies without a relation that causes events", text))
      .note("relations inside of noEvent(...), smooth(...) and functions cause none, nor do == and <> of Real values");
}

// True where one scalar condition becomes true. A condition of parameters never does.
NodeId trigger(const Environment& at, NodeId condition, const std::string& text, const std::string& which,
               SourceRange range) {
  Elaboration& all = at.all;
  if (!changes_during_run(all.model, condition)) return all.pool.zero();
  if (is_initial_flag(all.model, condition)) return condition;
  const NodeId held = hold(all.model, condition, all.events.quiet, range);
  if (varies(all.pool, held)) refuse_quiet_condition(at, text, range);
  return becomes_true(all.model, held, text, all.label(all.site(range), which), range);
}

// True where a condition, or an element of a vector of conditions, becomes true.
std::optional<NodeId> trigger_of(const Environment& at, const ast::Expression& condition) {
  Elaboration& all = at.all;
  all.events.quiet.clear();
  const Value value = evaluate(at, condition);
  if (!value.valid()) return std::nullopt;
  if (value.type() != Type::Boolean || value.rank() > 1) {
    at.error(Code::ConditionNotBoolean, condition.range,
             value.rank() > 1
                 ? fmt::format("the condition of a when clause is a Boolean or a vector of them, but this is {}",
                               to_string(value.shape()))
                 : fmt::format("a condition must be Boolean, but this is {}", to_string(value.type())));
    return std::nullopt;
  }
  const auto* list = condition.as<ast::ArrayConstructor>();
  const bool is_listed = list && list->iterators.empty() && list->elements.size() == value.size();
  NodeId any = all.pool.zero();
  for (std::size_t k = 0; k < value.size(); ++k) {
    const SourceRange range = is_listed ? list->elements[k].range : condition.range;
    const std::string place = value.is_scalar() || is_listed ? "" : element_subscripts(value.shape(), k);
    any =
        disjunction(all.pool, any,
                    trigger(at, value[k], all.here(all.source_text(range) + place), turn_of_loops(at) + place, range));
  }
  all.events.quiet.clear();
  return any;
}

}  // namespace

std::optional<std::vector<NodeId>> active_branches(const Environment& at,
                                                   const std::vector<const ast::Expression*>& conditions) {
  Pool& pool = at.all.pool;
  std::vector<NodeId> active;
  NodeId open = pool.one();
  bool valid = true;
  for (const ast::Expression* condition : conditions) {
    const auto triggered = trigger_of(at, *condition);
    valid = valid && triggered;
    if (!triggered) continue;
    active.push_back(conjunction(pool, *triggered, open));
    open = conjunction(pool, open, negation(pool, *triggered));
  }
  return valid ? std::optional(std::move(active)) : std::nullopt;
}

}  // namespace driftless::language
