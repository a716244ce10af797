// Equation sections: loops unrolled, branches chosen, arrays made scalar.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/builtins.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

// One section being written into the model.
struct Section {
  Environment at;
  std::vector<Equation>& target;
};

void elaborate_list(const Section& section, const std::vector<ast::Equation>& equations);

// "[i=3,j=1]" in a loop, otherwise empty.
std::string turn_of_loops(const Environment& at) {
  std::string text;
  for (const Local& local : at.locals) {
    text += text.empty() ? "[" : ",";
    fmt::format_to(std::back_inserter(text), "{}={}", local.name, number_of(at.all.pool, local.value.scalar()));
  }
  return text.empty() ? text : text + "]";
}

// left - right for every element; `place` holds the subscripts that tell several pairs of one equation apart.
void add_residuals(Elaboration& all, std::vector<Equation>& target, const EquationSite& site, const std::string& turn,
                   const Value& left, const Value& right, std::string_view place) {
  const Shape& shape = left.shape();
  for (std::size_t k = 0; k < left.size() && !all.exhausted(); ++k) {
    std::string which = turn;
    if (!shape.empty()) {
      const std::string subscripts = element_subscripts(shape, k);
      which += place.empty() ? subscripts : fmt::format("[{},{}", place, subscripts.substr(1));
    } else if (!place.empty()) {
      which += fmt::format("[{}]", place);
    }
    all.add_equation(target, site, which, all.pool.sub(left[k], right[k]));
  }
}

void equate(const Section& section, const ast::Equation& equation, const std::string& turn, const Value& left,
            const Value& right, std::string_view place) {
  if (!left.valid() || !right.valid()) return;
  const Environment& at = section.at;
  if (left.is_numeric() && right.is_numeric()) {
    if (left.shape() == right.shape())
      add_residuals(at.all, section.target, at.all.site(equation.range), turn, left, right, place);
    else
      at.error(Code::ShapesDiffer, equation.range,
               fmt::format("the two sides have different shapes: {} and {}", to_string(left.shape()),
                           to_string(right.shape())));
  } else if (left.type() == right.type()) {
    at.all.not_supported(equation.range, fmt::format("equations between {} values", to_string(left.type())));
  } else {
    at.error(
        Code::TypesDiffer, equation.range,
        fmt::format("the two sides have different types: {} and {}", to_string(left.type()), to_string(right.type())));
  }
}

void elaborate_equality(const Section& section, const ast::Equation& equation, const ast::Equality& equality) {
  const Environment& at = section.at;
  const std::string turn = turn_of_loops(at);
  const auto* tuple = equality.left.as<ast::Tuple>();
  if (!tuple) {
    const Value left = evaluate(at, equality.left);
    equate(section, equation, turn, left, evaluate(at, equality.right), {});
    return;
  }
  const std::vector<Value> results = evaluate_all(at, equality.right);
  const bool failed = results.size() == 1 && !results.front().valid();
  if (!failed && tuple->elements.size() > results.size()) {
    at.error(
        Code::TooManyTargets, equation.range,
        fmt::format("{} values on the left, but the right side gives only {}", tuple->elements.size(), results.size()));
    return;
  }
  for (std::size_t k = 0; k < tuple->elements.size(); ++k) {
    if (!tuple->elements[k]) continue;
    const Value left = evaluate(at, *tuple->elements[k]);
    if (!failed) equate(section, equation, turn, left, results[k], std::to_string(k + 1));
  }
}

bool depends_on_run(const Pool& pool, NodeId node) {
  return any_node(pool, node, [&](NodeId other) {
    const Op op = pool[other].op;
    return op == Op::Variable || op == Op::Time;
  });
}

// A condition that the parameters decide: true or false; nothing (reported) if it failed or changes during the run.
std::optional<bool> decide(const Environment& at, const ast::Expression& expression) {
  const Value condition = evaluate_condition(at, expression);
  if (!condition.valid()) return std::nullopt;
  if (depends_on_run(at.all.pool, condition.scalar())) {
    at.all.not_supported(expression.range, "if-equations whose condition changes during the run");
    return std::nullopt;
  }
  const Value decided = evaluate_condition(at.with(Purpose::Condition), expression);
  if (!decided.valid()) return std::nullopt;
  return number_of(at.all.pool, decided.scalar()) != 0.0;
}

void elaborate_if(const Section& section, const ast::IfEquation& choice) {
  for (const auto& branch : choice.branches) {
    const auto taken = decide(section.at, branch.condition);
    if (!taken) return;
    if (*taken) return elaborate_list(section, branch.body);
  }
  elaborate_list(section, choice.otherwise);
}

const ast::Expression* assert_argument(const ast::Call& call, std::size_t position, std::string_view name) {
  for (std::size_t k = 0; k < call.arguments.size(); ++k)
    if (call.arguments[k].name.empty() ? k == position : call.arguments[k].name.text == name)
      return &call.arguments[k].value;
  return nullptr;
}

void elaborate_call(const Section& section, const ast::Expression& expression) {
  const auto& call = std::get<ast::Call>(expression.node);
  if (call.function.is_simple() && call.function.dotted() == "assert")
    check_assertion(section.at, call, expression.range, section.at.all.pool.one(),
                    &section.target == &section.at.all.model.initial_equations);
  else
    evaluate_all(section.at, expression);
}

void elaborate_one(const Section& section, const ast::Equation& equation) {
  if (const auto* equality = std::get_if<ast::Equality>(&equation.node)) {
    elaborate_equality(section, equation, *equality);
  } else if (const auto* choice = std::get_if<ast::IfEquation>(&equation.node)) {
    elaborate_if(section, *choice);
  } else if (const auto* loop = std::get_if<ast::ForEquation>(&equation.node)) {
    iterate(section.at, loop->iterators, [&] {
      elaborate_list(section, loop->body);
      return section.at.all.spend(equation.range);
    });
  } else if (const auto* call = std::get_if<ast::CallEquation>(&equation.node)) {
    elaborate_call(section, call->call);
  } else if (std::holds_alternative<ast::WhenEquation>(equation.node)) {
    section.at.all.not_supported(equation.range, "when-equations");
  } else {
    section.at.all.not_supported(equation.range, "connect");
  }
}

void elaborate_list(const Section& section, const std::vector<ast::Equation>& equations) {
  for (const ast::Equation& equation : equations) {
    if (section.at.all.exhausted()) return;
    elaborate_one(section, equation);
  }
}

}  // namespace

namespace {

bool is_warning(const Environment& at, const ast::Expression* level) {
  static const std::string wanted = "AssertionLevel";
  if (!level) return false;
  const Value severity = convert(at, evaluate(at, *level), Type::Enumeration, level->range, "the level", &wanted);
  return severity.valid() && severity.is_scalar() &&
         at.all.pool.is_constant(severity.scalar(), assertion_level_warning);
}

// "[i=3,j=1]": the turn of the loops around it, in equations and in functions.
std::string turn_of_iterators(const Environment& at) {
  std::string text;
  for (const Local& local : at.locals)
    if (local.kind == Local::Kind::Iterator)
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", local.name, number_of(at.all.pool, local.value.scalar()));
  return text.empty() ? text : " [" + text + "]";
}

}  // namespace

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
  const auto* text = message->as<ast::String>();
  const std::string said = text ? text->value : at.all.source_text(message->range);
  const bool mild = is_warning(at, level);
  Pool& pool = at.all.pool;
  const NodeId held = disjunction(pool, negation(pool, reached), plain.scalar());
  if (depends_on_run(pool, held)) {
    std::vector<Assertion>& list = at.all.model.assertions;
    if (std::ranges::any_of(list, [&](const Assertion& other) { return other.condition == held; })) return;
    list.push_back({.condition = held,
                    .message = said,
                    .level = mild ? AssertionLevel::Warning : AssertionLevel::Error,
                    .only_at_start = only_at_start,
                    .label = fmt::format("line {}{}", at.all.sources.line_of(range), turn_of_iterators(at)),
                    .text = at.all.source_text(condition->range),
                    .range = range});
    return;
  }
  if (pool.is_constant(reached, 0.0)) return;
  const Value value = evaluate_condition(at.with(Purpose::ParameterValue), *condition);
  if (!value.valid() || number_of(pool, value.scalar()) != 0.0) return;
  if (mild)
    at.all.warning(Code::AssertionViolatedInText, range, fmt::format("assertion violated: {}", said));
  else
    at.error(Code::AssertionViolatedInText, range, fmt::format("assertion violated: {}", said));
}

void add_declaration_equation(Elaboration& all, const Value& left, const Value& right, SourceRange range) {
  add_residuals(all, all.model.equations, all.site(range), {}, left, right, {});
}

void elaborate_equations(Elaboration& all, Scope& model) {
  const ast::LongClass& body = *model.body();
  for (const ast::EquationSection& written : body.equations) {
    if (written.kind == ast::EquationKind::Parameter) {
      all.not_supported(written.range, "parameter equation sections");
      continue;
    }
    Locals locals;
    const bool initial = written.kind == ast::EquationKind::Initial;
    elaborate_list({{all, model, locals}, initial ? all.model.initial_equations : all.model.equations},
                   written.equations);
  }
  for (const ast::AlgorithmSection& algorithm : body.algorithms)
    all.not_supported(algorithm.range, "algorithm sections in models");
}

}  // namespace driftless::language
