// assert in equations, functions and when clauses, and messages.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/builtins.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace {

const ast::Expression* assert_argument(const ast::Call& call, std::size_t position, std::string_view name) {
  for (std::size_t k = 0; k < call.arguments.size(); ++k)
    if (call.arguments[k].name.empty() ? k == position : call.arguments[k].name.text == name)
      return &call.arguments[k].value;
  return nullptr;
}

bool is_warning(const Environment& at, const ast::Expression* level) {
  static const std::string wanted = "AssertionLevel";
  if (!level) return false;
  const Value severity = convert(at, evaluate(at, *level), Type::Enumeration, level->range, "the level", &wanted);
  return severity.valid() && severity.is_scalar() &&
         at.all.pool.is_constant(severity.scalar(), assertion_level_warning);
}

void add_event_assertion(const Environment& at, NodeId held, Assertion assertion) {
  auto& list = at.all.model.discrete.assertions;
  if (std::ranges::any_of(list, [&](const EventAssertion& other) { return other.condition == held; })) return;
  list.push_back({held, std::move(assertion.message), assertion.level == AssertionLevel::Warning,
                  std::move(assertion.label), std::move(assertion.text), assertion.range});
}

}  // namespace

std::string message_text(const Environment& at, const ast::Expression& message) {
  Elaboration& all = at.all;
  const bool muted = std::exchange(all.muted, true);
  const ParametersUsed used(all);
  const bool in_function = at.scope.syntax && at.scope.syntax->kind == ast::ClassKind::Function;
  Value value = evaluate(in_function ? at : at.with(Purpose::ParameterValue), message);
  if (!value.valid()) value = evaluate(at, message);  // values of the run are shown by their expressions
  all.muted = muted;
  return shown_text(all, value).value_or(all.source_text(message.range));
}

std::string turn_of_loops(const Environment& at) {
  std::string text;
  for (const Local& local : at.locals)
    if (local.kind == Local::Kind::Iterator)
      text +=
          fmt::format("{}{}={}", text.empty() ? "[" : ",", local.name, number_of(at.all.pool, local.value.scalar()));
  return text.empty() ? text : text + "]";
}

namespace {

bool is_unfixed(const Model& model, NodeId id) {
  const Node& node = (*model.pool)[id];
  return node.op == Op::Parameter && !model.parameters[node.a].fixed;
}

// Does the expression depend on a parameter that is computed at the start?
bool depends_on_unfixed(const Model& model, NodeId expression) {
  return any_node(*model.pool, expression, [&](NodeId id) { return is_unfixed(model, id); });
}

}  // namespace

void require(const Environment& at, Assertion assertion, NodeId reached) {
  Elaboration& all = at.all;
  Pool& pool = all.pool;
  if (all.events.reached) reached = conjunction(pool, *all.events.reached, reached);
  const auto is_local = [&](NodeId id) { return pool[id].op == Op::Local; };
  if (any_node(pool, assertion.condition, is_local) || any_node(pool, reached, is_local)) {
    all.warning(Code::NotSupported, assertion.range, assertion_in_program);
    return;
  }
  const NodeId held = assertion.condition = disjunction(pool, negation(pool, reached), assertion.condition);
  const std::string turn = turn_of_loops(at);
  assertion.label = fmt::format("line {}{}{}", all.sources.line_of(assertion.range), turn.empty() ? "" : " ", turn);
  const auto add_to = [&](std::vector<Assertion>& list) {
    if (std::ranges::none_of(list, [&](const Assertion& other) { return other.condition == held; }))
      list.push_back(std::move(assertion));
  };
  if (changes_during_run(all.model, held) || depends_on_unfixed(all.model, held)) {
    if (all.events.inside_when)
      add_event_assertion(at, held, std::move(assertion));
    else
      add_to(all.model.assertions);
    return;
  }
  if (pool.is_constant(reached, 0.0)) return;
  const double holds = driftless::evaluate(pool, held, [&](NodeId leaf) {
    return all.model.parameters[pool[leaf].a].value;  // nothing else is in it
  });
  if (holds != 0.0) {
    if (!pool.is_constant(held)) add_to(all.model.settled);
    return;
  }
  const std::string what = fmt::format("assertion violated: {}", assertion.message);
  if (assertion.level == AssertionLevel::Warning)
    all.warning(Code::AssertionViolatedInText, assertion.range, what);
  else
    at.error(Code::AssertionViolatedInText, assertion.range, what);
}

void check_assertion(const Environment& at, const ast::Call& call, SourceRange range, NodeId reached,
                     bool only_at_start) {
  const ast::Expression* condition = assert_argument(call, 0, "condition");
  const ast::Expression* message = assert_argument(call, 1, "message");
  const ast::Expression* level = assert_argument(call, 2, "level");
  if (!condition || !message || call.arguments.size() > 3) {
    at.error(Code::WrongNumberOfArguments, range, "assert takes a condition, a message and perhaps a level");
    return;
  }
  const Value plain = evaluate_condition(at, *condition);
  if (!plain.valid()) return;
  require(at,
          {.condition = plain.scalar(),
           .message = message_text(at, *message),
           .level = is_warning(at, level) ? AssertionLevel::Warning : AssertionLevel::Error,
           .only_at_start = only_at_start,
           .label = {},
           .text = at.all.source_text(condition->range),
           .range = range},
          reached);
}

void check_not_reached(const Environment& at, std::string message, SourceRange range) {
  Pool& pool = at.all.pool;
  require(at,
          {.condition = pool.zero(),
           .message = std::move(message),
           .label = {},
           .text = fmt::format("{} is not reached", at.all.source_text(range)),
           .range = range},
          pool.one());
}

}  // namespace driftless::language
