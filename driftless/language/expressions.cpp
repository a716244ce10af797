// Expressions of the text -> values.
#include <fmt/format.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/builtins.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/records.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

Value evaluate_comprehension(const Environment& at, const ast::Expression& element,
                             const std::vector<ast::Iterator>& iterators, SourceRange range) {
  // {e for i in I, j in J} is {{e for i in I} for j in J}: the last iterator is the first dimension.
  const auto build = [&](const auto& self, std::size_t level) -> Value {
    if (level == 0) return evaluate(at, element);
    const ast::Iterator& iterator = iterators[level - 1];
    const Value run = iterator_values(at, iterator);
    if (!run.valid()) return {};
    std::vector<Value> values;
    values.reserve(run.size());
    at.locals.push_back({iterator.name.text, Local::Kind::Iterator, {}});
    const std::size_t place = at.locals.size() - 1;
    for (std::size_t k = 0; k < run.size() && !at.all.exhausted(); ++k) {
      at.locals[place].value = Value(run.type(), run[k]).of_enumeration(run.enumeration());
      values.push_back(self(self, level - 1));
    }
    at.locals.pop_back();
    return stack(at, values, range);
  };
  if (iterators.size() > ast::max_depth) {
    at.all.not_supported(range, fmt::format("more than {} iterators", ast::max_depth));
    return {};
  }
  return build(build, iterators.size());
}

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

Value evaluate_binary(const Environment& at, const ast::Binary& binary, SourceRange range) {
  Value left = evaluate(at, *binary.first);
  for (const ast::Operand& operand : binary.rest) {
    range.end = operand.value.range.end;
    // If the left side decides, the right one is not evaluated: `i > 1 and x[i - 1] > 0`.
    const bool decides = operand.op == ast::BinaryOperator::And || operand.op == ast::BinaryOperator::Or;
    if (decides && left.type() == Type::Boolean && left.is_scalar()) {
      const double deciding = operand.op == ast::BinaryOperator::Or ? 1.0 : 0.0;
      if (at.all.pool.is_constant(left.scalar(), deciding)) continue;
    }
    left = apply_binary(at, operand.op, left, evaluate(at, operand.value), range);
  }
  return left;
}

Value evaluate_if(const Environment& at, const ast::IfExpression& choice, SourceRange range) {
  // Branches are merged from the last one backwards, after those that are certainly not taken were left out:
  // in `if i == 1 then 0 else x[i - 1]` the other branch need not be valid.
  struct Alternative {
    NodeId condition;
    Value value;
  };
  Pool& pool = at.all.pool;
  std::vector<Alternative> alternatives;
  std::optional<Value> last;
  NodeId open = pool.one();  // no condition so far is true
  // Assertions of functions called in a branch apply to this branch only.
  const auto on_way = [&](NodeId condition, const ast::Expression& branch) {
    std::optional<Reached> reached;
    if (!pool.is_constant(condition, 1.0)) reached.emplace(at.all, condition);
    return evaluate(at, branch);
  };
  for (const auto& branch : choice.branches) {
    const Value condition = evaluate_condition(at, *branch.condition);
    if (!condition.valid()) return {};
    const auto known = known_number(pool, condition.scalar());
    if (known && *known == 0.0) continue;
    Value value = on_way(known ? open : conjunction(pool, open, condition.scalar()), *branch.value);
    if (known) {
      last = std::move(value);
      break;
    }
    open = conjunction(pool, open, negation(pool, condition.scalar()));
    alternatives.push_back({condition.scalar(), std::move(value)});
  }
  Value result = last ? *last : on_way(open, *choice.otherwise);
  for (auto alternative = alternatives.rbegin(); alternative != alternatives.rend(); ++alternative)
    result = choose(at, alternative->condition, alternative->value, result, range);
  return result;
}

Value evaluate_range(const Environment& at, const ast::Range& syntax, SourceRange range) {
  const Environment inside = at.numeric() ? at : at.with(Purpose::Range);
  const Value first = evaluate(inside, *syntax.first);
  const Value step = syntax.step ? evaluate(inside, *syntax.step) : Value(Type::Integer, at.all.pool.one());
  const Value last = evaluate(inside, *syntax.last);
  if (!first.valid() || !step.valid() || !last.valid()) return {};
  // Color.red : Color.blue, false : true
  const bool countable = (first.type() == Type::Enumeration || first.type() == Type::Boolean) && !syntax.step &&
                         last.type() == first.type() && first.is_scalar() && last.is_scalar();
  for (const Value* value : {&first, &step, &last})
    if (!countable && (!value->is_scalar() || !value->is_numeric())) {
      at.error(Code::WrongRange, range, "a range needs scalar numbers");
      return {};
    }
  const auto a = known_number(at.all.pool, first.scalar()), h = known_number(at.all.pool, step.scalar()),
             b = known_number(at.all.pool, last.scalar());
  if (!a || !h || !b) {
    at.error(Code::NotKnownBeforeRun, range, "a range must be known before the run");
    return {};
  }
  if (*h == 0.0 || !std::isfinite(*a) || !std::isfinite(*h) || !std::isfinite(*b)) {
    at.error(Code::WrongRange, range, *h == 0.0 ? "the step of a range must not be 0" : "a range needs finite numbers");
    return {};
  }
  // Modelica 3.6, Section 10.4.3; the small excess keeps the last element of 0:0.1:1.
  const double steps = std::floor((*b - *a) / *h * (1 + 4e-16) + 4e-16);
  const Type type = countable ? first.type() : common_type(common_type(first.type(), step.type()), last.type());
  if (steps >= static_cast<double>(at.all.limits.elements)) {
    at.all.fits({at.all.limits.elements + 1}, range);
    return {};
  }
  std::vector<NodeId> elements;
  for (std::int64_t k = 0; k <= static_cast<std::int64_t>(steps); ++k)
    elements.push_back(at.all.pool.constant(*a + static_cast<double>(k) * *h));
  const auto size = static_cast<std::int64_t>(elements.size());
  return Value(type, Shape{size}, std::move(elements)).of_enumeration(first.enumeration());
}

Value evaluate_array(const Environment& at, const ast::ArrayConstructor& array, SourceRange range) {
  if (!array.iterators.empty()) return evaluate_comprehension(at, array.elements.front(), array.iterators, range);
  std::vector<Value> values;
  values.reserve(array.elements.size());
  for (const ast::Expression& element : array.elements) values.push_back(evaluate(at, element));
  return stack(at, values, range);
}

Value evaluate_matrix(const Environment& at, const ast::MatrixConstructor& matrix, SourceRange range) {
  std::vector<Value> rows;
  for (const auto& syntax : matrix.rows) {
    std::vector<Value> row;
    for (const ast::Expression& element : syntax) row.push_back(as_matrix(evaluate(at, element)));
    rows.push_back(concatenate(at, 2, row, range));
  }
  return concatenate(at, 1, rows, range);
}

Value member_of(const Environment& at, const Value& record, std::string_view name, SourceRange range) {
  Value member = record.member(name);
  if (!member.valid())
    at.error(Code::TypesDiffer, range,
             record.is_record() ? fmt::format("this record has no member '{}'", name)
                                : fmt::format("a record is needed here, but this is {}", to_string(record.type())));
  return member;
}

Value evaluate_selection(const Environment& at, const ast::Selection& selection, SourceRange range) {
  if (!selection.member.empty()) {
    const Value base = evaluate(at, *selection.base);
    return base.valid() ? member_of(at, base, selection.member.text, range) : Value();
  }
  return subscripted(at, evaluate(at, *selection.base), selection.subscripts, at.all.source_text(selection.base->range),
                     range);
}

Value evaluate_end(const Environment& at, SourceRange range) {
  if (at.end >= 0) return {Type::Integer, at.all.pool.constant(static_cast<double>(at.end))};
  at.error(Code::WrongSubscript, range, "'end' has a meaning only in a subscript");
  return {};
}

// Inside an expression a call with several results means the first one.
Value first_of(std::vector<Value> values, const Environment& at, SourceRange range) {
  if (!values.empty()) return std::move(values.front());
  at.error(Code::NotAValue, range, "this function has no output and cannot be part of an expression");
  return {};
}

}  // namespace

Value evaluate(const Environment& at, const ast::Expression& expression) {
  const SourceRange range = expression.range;
  if (!at.all.spend(range) || !at.all.may_nest(range)) return {};
  const Nesting nesting(at.all);
  Pool& pool = at.all.pool;
  return std::visit(Overloaded{
                        [&](const ast::Number& x) {
                          return Value(x.is_integer ? Type::Integer : Type::Real, pool.constant(x.value));
                        },
                        [&](const ast::String& x) { return string_value(at.all, x.value); },
                        [&](const ast::Boolean& x) { return Value(Type::Boolean, pool.constant(x.value ? 1.0 : 0.0)); },
                        [&](const ast::End&) { return evaluate_end(at, range); },
                        [&](const ast::Reference& x) { return read(at, x); },
                        [&](const ast::Unary& x) { return apply_unary(at, x.op, evaluate(at, *x.operand), range); },
                        [&](const ast::Binary& x) { return evaluate_binary(at, x, range); },
                        [&](const ast::IfExpression& x) { return evaluate_if(at, x, range); },
                        [&](const ast::Range& x) { return evaluate_range(at, x, range); },
                        [&](const ast::Call& x) { return first_of(evaluate_call(at, x, range), at, range); },
                        [&](const ast::PartialApplication&) {
                          at.error(Code::NotAValue, range,
                                   "a function with given inputs can only be an argument for an input that is a "
                                   "function");
                          return Value();
                        },
                        [&](const ast::ArrayConstructor& x) { return evaluate_array(at, x, range); },
                        [&](const ast::MatrixConstructor& x) { return evaluate_matrix(at, x, range); },
                        [&](const ast::Tuple&) {
                          at.error(Code::WrongPlace, range,
                                   "a list of several values can only stand on the left of '=' or ':='");
                          return Value();
                        },
                        [&](const ast::Selection& x) { return evaluate_selection(at, x, range); },
                    },
                    expression.node);
}

namespace {

// The element of {a, b, c} that the first steps select, and how many steps that were.
std::pair<const ast::Expression*, std::size_t> inside_constructors(const Given& given) {
  const ast::Expression* syntax = given.syntax;
  std::size_t k = 0;
  for (; k < given.steps.size() && given.steps[k].index > 0; ++k) {
    const auto* array = syntax->as<ast::ArrayConstructor>();
    const auto place = static_cast<std::size_t>(given.steps[k].index) - 1;
    if (!array || !array->iterators.empty() || place >= array->elements.size()) break;
    syntax = &array->elements[place];
  }
  return {syntax, k};
}

Value element_of(const Environment& at, const Value& whole, std::int64_t index, SourceRange range) {
  if (!whole.valid()) return {};
  if (whole.rank() == 0) {
    at.all.warning(Code::EachMissing, range, "one value is given to an array of components: every one takes it")
        .note("write 'each' before the modifier");
    return whole;
  }
  const Shape& shape = whole.shape();
  if (index > shape.front()) {
    at.error(
        Code::ShapesDiffer, range,
        fmt::format("there are at least {} components, but their values have the shape {}", index, to_string(shape)));
    return {};
  }
  const Shape inner(shape.begin() + 1, shape.end());
  const auto size = static_cast<std::size_t>(count(inner)) * whole.stride();
  const auto elements = whole.elements().subspan(static_cast<std::size_t>(index - 1) * size, size);
  return whole.like(inner, {elements.begin(), elements.end()});
}

}  // namespace

Value evaluate_given(const Environment& at, const Given& given) {
  Locals nothing;
  const bool here = given.scope->instance == at.scope.instance;
  const Environment inside{at.all, *given.scope, here ? at.locals : nothing, at.purpose};
  const auto [syntax, followed] = inside_constructors(given);
  Value value = evaluate(inside, *syntax);
  for (std::size_t k = followed; k < given.steps.size() && value.valid(); ++k)
    value = given.steps[k].index > 0 ? element_of(inside, value, given.steps[k].index, given.syntax->range)
                                     : member_of(inside, value, given.steps[k].member, given.syntax->range);
  return value;
}

std::vector<Value> evaluate_all(const Environment& at, const ast::Expression& expression) {
  if (const auto* call = expression.as<ast::Call>()) return evaluate_call(at, *call, expression.range);
  return {evaluate(at, expression)};
}

Value evaluate_condition(const Environment& at, const ast::Expression& expression) {
  Value value = evaluate(at, expression);
  if (!value.valid()) return {};
  if (value.type() == Type::Boolean && value.is_scalar()) return value;
  at.error(Code::ConditionNotBoolean, expression.range,
           value.is_scalar()
               ? fmt::format("a condition must be Boolean, but this is {}", to_string(value.type()))
               : fmt::format("a condition must be a scalar, but this has the shape {}", to_string(value.shape())));
  return {};
}

std::optional<double> known_number(const Pool& pool, NodeId node) {
  return pool.is_constant(node) ? std::optional(pool.constant_value(node)) : std::nullopt;
}

std::optional<std::int64_t> known_integer(const Pool& pool, const Value& value) {
  if (value.type() != Type::Integer || !value.is_scalar()) return std::nullopt;
  const auto number = known_number(pool, value.scalar());
  constexpr double largest = 9e15;  // doubles beyond do not hold every integer
  if (!number || !(std::abs(*number) < largest)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<double> evaluate_number(const Environment& at, const ast::Expression& expression) {
  const Value value = evaluate(at, expression);
  if (!value.valid()) return std::nullopt;
  if (!value.is_scalar() || !value.is_numeric()) {
    at.error(Code::TypesDiffer, expression.range,
             fmt::format("a number is needed, but this is {}",
                         value.is_scalar() ? to_string(value.type()) : to_string(value.shape())));
    return std::nullopt;
  }
  const double number = number_of(at.all.pool, value.scalar());
  if (std::isfinite(number)) return number;
  at.error(Code::NotFinite, expression.range, fmt::format("this is not a finite number: its value is {}", number));
  return std::nullopt;
}

std::optional<std::int64_t> evaluate_integer(const Environment& at, const ast::Expression& expression) {
  const Value value = evaluate(at, expression);
  if (!value.valid()) return std::nullopt;
  if (const auto number = known_integer(at.all.pool, value)) return number;
  if (value.type() != Type::Integer || !value.is_scalar())
    at.error(Code::TypesDiffer, expression.range,
             fmt::format("an Integer is needed, but this is {}",
                         value.is_scalar() ? to_string(value.type()) : to_string(value.shape())));
  else
    at.error(Code::NotKnownBeforeRun, expression.range, "this must be known before the run");
  return std::nullopt;
}

double number_of(const Pool& pool, NodeId node) {
  if (pool.is_constant(node)) return pool.constant_value(node);
  return driftless::evaluate(pool, node, [](NodeId) { return std::numeric_limits<double>::quiet_NaN(); });
}

namespace {

Value all_values(const Environment& at, const IndexType& type) {
  std::vector<NodeId> all;
  for (std::int64_t k = 0; k < type.size; ++k)
    all.push_back(at.all.pool.constant(static_cast<double>(type.type == Type::Boolean ? k : k + 1)));
  return Value(type.type, Shape{type.size}, std::move(all)).of_enumeration(type.enumeration);
}

// `for e loop ... x[e]`, where x is numbered by an enumeration or by Booleans: all of its values.
Value inferred_values(const Environment& at, const ast::Iterator& iterator) {
  const auto& size = std::get<ast::Call>(std::get<ast::Range>(iterator.range->node).last->node);
  const auto& array = std::get<ast::Reference>(size.arguments[0].value.node);
  const auto dimension = static_cast<std::size_t>(std::get<ast::Number>(size.arguments[1].value.node).value) - 1;
  Component* component = look_up(at.scope, parts_of(array), array.global).component;
  if (!component || array.parts.size() > 1) return {};
  find_type(at.all, *component);
  const std::vector<Dimension>& dimensions = component->type.dimensions;
  if (dimension >= dimensions.size() || !*dimensions[dimension].size) return {};
  const auto type = index_type(*dimensions[dimension].scope, **dimensions[dimension].size);
  return type ? all_values(at, *type) : Value();
}

}  // namespace

Value iterator_values(const Environment& at, const ast::Iterator& iterator, bool may_vary) {
  if (!iterator.range) {
    at.error(Code::WrongRange, iterator.name.range,
             fmt::format("'{0}' has no range, and is nowhere a subscript alone, as in x[{0}]", iterator.name.text))
        .note(fmt::format("write for {} in 1:n", iterator.name.text));
    return {};
  }
  if (const auto type = index_type(at.scope, *iterator.range)) return all_values(at, *type);  // for c in Color loop
  if (iterator.inferred)
    if (Value values = inferred_values(at, iterator); values.valid()) return values;
  const Environment inside = at.purpose == Purpose::Equation && !may_vary ? at.with(Purpose::Range) : at;
  Value values = evaluate(inside, *iterator.range);
  if (!values.valid() || values.rank() == 1) return values;
  at.error(Code::WrongRange, iterator.range->range,
           fmt::format("'{}' must run over a vector, but this is {}", iterator.name.text, to_string(values.shape())));
  return {};
}

}  // namespace driftless::language
