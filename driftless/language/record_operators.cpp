#include "driftless/language/record_operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/instantiate.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

namespace {

using ast::BinaryOperator;

bool is_function(const Class& of) {
  return of.syntax->kind == ast::ClassKind::Function || of.syntax->kind == ast::ClassKind::OperatorFunction;
}

// operator '+' contains functions, operator function '+' is one.
std::vector<Instance*> functions_of(Instance& record, std::string_view name) {
  std::vector<Instance*> functions;
  const Symbol found = find_in(record, name);
  Instance* instance = found.local ? instance_of(*found.local) : nullptr;
  if (!instance) return functions;
  if (is_function(*instance->of)) return {instance};
  for (const Class& inner : instance->of->classes) {
    LocalClass* local = is_function(inner) ? find_in(*instance, inner.syntax->name.text).local : nullptr;
    if (Instance* function = local ? instance_of(*local) : nullptr) functions.push_back(function);
  }
  return functions;
}

Instance* class_behind(Elaboration& all, const Value& value) {
  if (!value.is_record() || !value.layout()->operators) return nullptr;
  LocalClass* local = local_class_of(all, *value.layout()->operators);
  return local ? instance_of(*local) : nullptr;
}

Value call_with_values(const Environment& at, Instance& function, const std::vector<Value>& values, SourceRange range) {
  std::vector<Value> results = call_function(at, function, values, range);
  return results.empty() ? Value() : std::move(results.front());
}

std::vector<Component*> inputs_of(Elaboration& all, Instance& function) {
  std::vector<Component*> inputs;
  for (Component& component : function.components) {
    find_type(all, component);
    if (component.prefixes.causality == ast::Causality::Input) inputs.push_back(&component);
  }
  return inputs;
}

bool takes(const Component& input, const Value& value) {
  if (static_cast<std::size_t>(value.rank()) != input.type.dimensions.size()) return false;
  if (input.is_part()) return value.is_record() && value.layout()->operators == input.type.part;
  if (value.is_record()) return false;
  return input.type.type == value.type() || (input.type.type == Type::Real && value.type() == Type::Integer);
}

// The first function for which all inputs without defaults are given, and fit.
Instance* fitting(Elaboration& all, const std::vector<Instance*>& functions, const std::vector<Value>& values) {
  for (Instance* function : functions) {
    const std::vector<Component*> inputs = inputs_of(all, *function);
    bool fits = inputs.size() >= values.size();
    for (std::size_t k = 0; fits && k < inputs.size(); ++k)
      fits = k < values.size() ? takes(*inputs[k], values[k]) : static_cast<bool>(inputs[k]->given);
    if (fits) return function;
  }
  return nullptr;
}

std::string_view operator_name(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add:
    case BinaryOperator::ElementwiseAdd: return "'+'";
    case BinaryOperator::Subtract:
    case BinaryOperator::ElementwiseSubtract: return "'-'";
    case BinaryOperator::Multiply:
    case BinaryOperator::ElementwiseMultiply: return "'*'";
    case BinaryOperator::Divide:
    case BinaryOperator::ElementwiseDivide: return "'/'";
    case BinaryOperator::Power:
    case BinaryOperator::ElementwisePower: return "'^'";
    case BinaryOperator::Equal: return "'=='";
    case BinaryOperator::NotEqual: return "'<>'";
    case BinaryOperator::Less: return "'<'";
    case BinaryOperator::LessEqual: return "'<='";
    case BinaryOperator::Greater: return "'>'";
    case BinaryOperator::GreaterEqual: return "'>='";
    case BinaryOperator::And: return "'and'";
    case BinaryOperator::Or: return "'or'";
  }
  return {};
}

std::string type_name(const Value& value) {
  const std::string name =
      value.is_record() && value.layout()->operators ? value.layout()->operators->path : to_string(value.type());
  return value.rank() == 0 ? name : name + to_string(value.shape());
}

// The number as a record, by a constructor of one argument.
Value converted(const Environment& at, Instance& record, const Value& value, SourceRange range) {
  if (value.is_record()) return value;
  Instance* constructor = fitting(at.all, functions_of(record, "'constructor'"), {value});
  return constructor ? call_with_values(at, *constructor, {value}, range) : Value();
}

// Nothing if no function takes these values.
std::optional<Value> call_operator(const Environment& at, std::string_view name, Instance& record,
                                   const std::vector<Value>& values, SourceRange range) {
  const std::vector<Instance*> functions = functions_of(record, name);
  if (Instance* direct = fitting(at.all, functions, values)) return call_with_values(at, *direct, values, range);
  std::vector<Value> records;
  for (const Value& value : values) {
    if (value.rank() > 0) return std::nullopt;
    records.push_back(converted(at, record, value, range));
    if (!records.back().valid()) return std::nullopt;
  }
  Instance* function = fitting(at.all, functions, records);
  return function ? std::optional(call_with_values(at, *function, records, range)) : std::nullopt;
}

Value element(const Value& value, std::size_t k) {
  if (value.rank() == 0) return value;
  const auto elements = value.elements().subspan(k * value.stride(), value.stride());
  return value.like({}, {elements.begin(), elements.end()});
}

// One operand may be a scalar.
bool works_by_elements(BinaryOperator op, const Value& left, const Value& right) {
  if (left.rank() > 0 && right.rank() > 0)
    return left.shape() == right.shape() && op != BinaryOperator::Multiply && op != BinaryOperator::Divide &&
           op != BinaryOperator::Power;
  if (left.rank() == 0 && right.rank() == 0) return false;
  return op != BinaryOperator::Add && op != BinaryOperator::Subtract && op != BinaryOperator::Power &&
         !(op == BinaryOperator::Divide && right.rank() > 0);
}

Value by_elements(const Environment& at, BinaryOperator op, const Value& left, const Value& right, SourceRange range) {
  const Shape shape = left.rank() > 0 ? left.shape() : right.shape();
  std::vector<NodeId> elements;
  Value last;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count(shape)); ++k) {
    last = apply_record_operator(at, op, element(left, k), element(right, k), range);
    if (!last.valid()) return {};
    const auto own = last.elements();
    elements.insert(elements.end(), own.begin(), own.end());
  }
  if (!last.valid()) return (left.is_record() ? left : right).like(shape, {});
  return last.is_record() ? last.like(shape, std::move(elements)) : Value(last.type(), shape, std::move(elements));
}

// Is every input given, by name, by place, or by default?
bool takes_names(Instance& function, const ast::Call& call) {
  const std::vector<Component*> inputs = inputs_of(function.all, function);
  if (call.arguments.size() > inputs.size()) return false;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const bool named = std::ranges::any_of(call.arguments, [&](const ast::CallArgument& argument) {
      return argument.name.text == inputs[k]->identifier();
    });
    const bool placed = k < call.arguments.size() && call.arguments[k].name.empty();
    if (!named && !placed && !inputs[k]->given) return false;
  }
  return true;
}

bool takes_types(const Environment& at, Instance& function, const ast::Call& call) {
  const std::vector<Component*> inputs = inputs_of(function.all, function);
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ast::CallArgument& argument = call.arguments[k];
    const auto input = argument.name.empty() ? inputs.begin() + static_cast<std::ptrdiff_t>(k)
                                             : std::ranges::find(inputs, argument.name.text, &Component::identifier);
    if (input == inputs.end()) return false;
    const Value value = evaluate(at, argument.value);
    if (value.valid() && !takes(**input, value)) return false;
  }
  return true;
}

}  // namespace

bool has_record_operators(const Value& left, const Value& right) {
  return (left.is_record() && left.layout()->operators) || (right.is_record() && right.layout()->operators);
}

Value apply_record_operator(const Environment& at, BinaryOperator op, const Value& left, const Value& right,
                            SourceRange range) {
  Instance* record = class_behind(at.all, left);
  if (!record) record = class_behind(at.all, right);
  if (record) {
    if (auto result = call_operator(at, operator_name(op), *record, {left, right}, range)) return *result;
    if (works_by_elements(op, left, right)) return by_elements(at, op, left, right, range);
  }
  at.error(Code::TypesDiffer, range,
           fmt::format("there is no operator '{}' for {} and {}", to_string(op), type_name(left), type_name(right)));
  return {};
}

Value apply_record_operator(const Environment& at, ast::UnaryOperator op, const Value& operand, SourceRange range) {
  if (op == ast::UnaryOperator::Plus || op == ast::UnaryOperator::ElementwisePlus) return operand;
  Instance* record = class_behind(at.all, operand);
  const bool minus = op == ast::UnaryOperator::Minus || op == ast::UnaryOperator::ElementwiseMinus;
  std::vector<NodeId> elements;
  for (std::size_t k = 0; record && k < static_cast<std::size_t>(count(operand.shape())); ++k) {
    const auto result = call_operator(at, minus ? "'-'" : "'not'", *record, {element(operand, k)}, range);
    if (!result) record = nullptr;
    if (!result || !result->valid()) break;
    if (operand.rank() == 0) return *result;
    elements.insert(elements.end(), result->elements().begin(), result->elements().end());
  }
  if (record && elements.size() == operand.size()) return operand.like(operand.shape(), std::move(elements));
  at.error(Code::TypesDiffer, range,
           fmt::format("there is no operator '{}' for {}", to_string(op), type_name(operand)));
  return {};
}

Instance* record_constructor(const Environment& at, Instance& record, const ast::Call& call, SourceRange range) {
  std::vector<Instance*> found;
  for (Instance* function : functions_of(record, "'constructor'"))
    if (takes_names(*function, call)) found.push_back(function);
  if (found.size() < 2) return found.empty() ? nullptr : found.front();
  std::erase_if(found, [&](Instance* function) { return !takes_types(at, *function, call); });
  if (found.size() < 2) return found.empty() ? nullptr : found.front();
  at.error(Code::WrongArgument, range,
           fmt::format("several constructors of {} take these arguments: {} and {}", record.of->path,
                       found[0]->of->path, found[1]->of->path));
  return nullptr;
}

std::optional<Value> text_of_record(const Environment& at, const std::vector<Value>& values, SourceRange range) {
  Instance* record = values.empty() ? nullptr : class_behind(at.all, values.front());
  Instance* function = record ? fitting(at.all, functions_of(*record, "'String'"), values) : nullptr;
  return function ? std::optional(call_with_values(at, *function, values, range)) : std::nullopt;
}

Value sum_of_records(const Environment& at, const Value& vector, SourceRange range) {
  const auto size = static_cast<std::size_t>(count(vector.shape()));
  if (size == 0) {
    Instance* record = class_behind(at.all, vector);
    Instance* zero = record ? fitting(at.all, functions_of(*record, "'0'"), {}) : nullptr;
    return zero ? call_with_values(at, *zero, {}, range) : Value();
  }
  Value sum = element(vector, 0);
  for (std::size_t k = 1; k < size && sum.valid(); ++k)
    sum = apply_record_operator(at, BinaryOperator::Add, sum, element(vector, k), range);
  return sum;
}

}  // namespace driftless::language
