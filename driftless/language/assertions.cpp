// assert in equations, functions and when clauses, and messages.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/elaboration.hpp"

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

// The text of a literal, of a String constant or parameter, and of such texts joined by '+'.
std::optional<std::string> known_text(const Environment& at, const ast::Expression& message, int depth = 0) {
  constexpr int deepest = 20;  // of constants that are defined by constants
  if (depth > deepest) return std::nullopt;
  if (const auto* literal = message.as<ast::String>()) return literal->value;
  if (const auto* reference = message.as<ast::Reference>()) {
    const Found found = look_up(at.scope, parts_of(*reference), reference->global);
    if (!found.component || found.component->kind == Component::Kind::Variable || !found.component->binding ||
        found.component->type.type != Type::String || !found.component->type.dimensions.empty())
      return std::nullopt;
    const Environment there{at.all, *found.component->binding_scope, at.locals, at.purpose};
    return known_text(there, *found.component->binding, depth + 1);
  }
  const auto* sum = message.as<ast::Binary>();
  if (!sum) return std::nullopt;
  auto text = known_text(at, *sum->first, depth + 1);
  for (const ast::Operand& operand : sum->rest) {
    const auto more = known_text(at, operand.value, depth + 1);
    if (!text || !more || operand.op != ast::BinaryOperator::Add) return std::nullopt;
    *text += *more;
  }
  return text;
}

void add_event_assertion(const Environment& at, NodeId held, Assertion assertion) {
  auto& list = at.all.model.discrete.assertions;
  if (std::ranges::any_of(list, [&](const EventAssertion& other) { return other.condition == held; })) return;
  list.push_back({held, std::move(assertion.message), assertion.level == AssertionLevel::Warning,
                  std::move(assertion.label), std::move(assertion.text), assertion.range});
}

}  // namespace

std::string message_text(const Environment& at, const ast::Expression& message) {
  return known_text(at, message).value_or(at.all.source_text(message.range));
}

std::string turn_of_loops(const Environment& at) {
  std::string text;
  for (const Local& local : at.locals)
    if (local.kind == Local::Kind::Iterator)
      text +=
          fmt::format("{}{}={}", text.empty() ? "[" : ",", local.name, number_of(at.all.pool, local.value.scalar()));
  return text.empty() ? text : text + "]";
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
  Elaboration& all = at.all;
  Pool& pool = all.pool;
  const std::string said = message_text(at, *message);
  const bool mild = is_warning(at, level);
  if (all.events.reached) reached = conjunction(pool, *all.events.reached, reached);
  const std::string turn = turn_of_loops(at);
  const NodeId held = disjunction(pool, negation(pool, reached), plain.scalar());
  if (changes_during_run(all.model, held)) {
    std::vector<Assertion>& list = all.model.assertions;
    Assertion assertion{.condition = held,
                        .message = said,
                        .level = mild ? AssertionLevel::Warning : AssertionLevel::Error,
                        .only_at_start = only_at_start,
                        .label = fmt::format("line {}{}{}", all.sources.line_of(range), turn.empty() ? "" : " ", turn),
                        .text = all.source_text(condition->range),
                        .range = range};
    if (all.events.inside_when)
      add_event_assertion(at, held, std::move(assertion));
    else if (std::ranges::none_of(list, [&](const Assertion& other) { return other.condition == held; }))
      list.push_back(std::move(assertion));
    return;
  }
  if (pool.is_constant(reached, 0.0)) return;
  const Value value = evaluate_condition(at.with(Purpose::ParameterValue), *condition);
  if (!value.valid() || number_of(pool, value.scalar()) != 0.0) return;
  if (mild)
    all.warning(Code::AssertionViolatedInText, range, fmt::format("assertion violated: {}", said));
  else
    at.error(Code::AssertionViolatedInText, range, fmt::format("assertion violated: {}", said));
}

}  // namespace driftless::language
