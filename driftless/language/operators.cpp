// The arithmetic of arrays (Modelica 3.6, Section 10.6), down to nodes.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/record_operators.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace {

using ast::BinaryOperator;

Op operation(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Or: return Op::Or;
    case BinaryOperator::And: return Op::And;
    case BinaryOperator::Less:
    case BinaryOperator::Greater: return Op::Less;
    case BinaryOperator::LessEqual:
    case BinaryOperator::GreaterEqual: return Op::LessEqual;
    case BinaryOperator::Equal: return Op::Equal;
    case BinaryOperator::NotEqual: return Op::NotEqual;
    case BinaryOperator::Add:
    case BinaryOperator::ElementwiseAdd: return Op::Add;
    case BinaryOperator::Subtract:
    case BinaryOperator::ElementwiseSubtract: return Op::Sub;
    case BinaryOperator::Multiply:
    case BinaryOperator::ElementwiseMultiply: return Op::Mul;
    case BinaryOperator::Divide:
    case BinaryOperator::ElementwiseDivide: return Op::Div;
    case BinaryOperator::Power:
    case BinaryOperator::ElementwisePower: return Op::Pow;
  }
  return Op::Add;
}

bool is_logical(BinaryOperator op) { return op == BinaryOperator::Or || op == BinaryOperator::And; }

bool is_relation(BinaryOperator op) {
  return op == BinaryOperator::Less || op == BinaryOperator::LessEqual || op == BinaryOperator::Greater ||
         op == BinaryOperator::GreaterEqual || op == BinaryOperator::Equal || op == BinaryOperator::NotEqual;
}

bool is_elementwise(BinaryOperator op) {
  return op == BinaryOperator::ElementwiseAdd || op == BinaryOperator::ElementwiseSubtract ||
         op == BinaryOperator::ElementwiseMultiply || op == BinaryOperator::ElementwiseDivide ||
         op == BinaryOperator::ElementwisePower;
}

Type result_type(Op op, const Value& left, const Value& right) {
  const bool integer = left.type() == Type::Integer && right.type() == Type::Integer;
  return integer && op != Op::Div && op != Op::Pow ? Type::Integer : Type::Real;
}

// One operand may be a scalar that is combined with every element of the other.
Value elementwise(Pool& pool, Op op, const Value& left, const Value& right) {
  const Value& shaped = left.is_scalar() ? right : left;
  std::vector<NodeId> elements(shaped.size());
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = pool.binary(op, left[k], right[k]);
  return {result_type(op, left, right), shaped.shape(), std::move(elements)};
}

Value multiply(const Environment& at, const Value& left, const Value& right, SourceRange range) {
  Pool& pool = at.all.pool;
  if (left.is_scalar() || right.is_scalar()) return elementwise(pool, Op::Mul, left, right);

  // A vector is a row on the left of a product and a column on its right.
  const Shape &a = left.shape(), &b = right.shape();
  const bool matrices = a.size() <= 2 && b.size() <= 2;
  if (!matrices || a.back() != b.front()) {
    at.error(Code::ShapesCannotCombine, range,
             fmt::format("shapes {} and {} cannot be multiplied", to_string(a), to_string(b)));
    return {};
  }
  const std::int64_t rows = a.size() == 2 ? a[0] : 1, inner = a.back(), columns = b.size() == 2 ? b[1] : 1;
  Shape shape;
  if (a.size() == 2) shape.push_back(rows);
  if (b.size() == 2) shape.push_back(columns);
  if (!at.all.fits(shape, range)) return {};
  std::vector<NodeId> elements;
  elements.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      if (!at.all.spend(range, 1 + inner)) return {};
      NodeId sum = pool.zero();
      for (std::int64_t k = 0; k < inner; ++k)
        sum = pool.add(sum, pool.mul(left[static_cast<std::size_t>(i * inner + k)],
                                     right[static_cast<std::size_t>(k * columns + j)]));
      elements.push_back(sum);
    }
  return {result_type(Op::Mul, left, right), std::move(shape), std::move(elements)};
}

Value matrix_power(const Environment& at, const Value& matrix, const Value& exponent, SourceRange range) {
  const auto n = known_integer(at.all.pool, exponent);
  constexpr std::int64_t largest = 1000;
  if (matrix.rank() != 2 || matrix.shape()[0] != matrix.shape()[1] || !n || *n < 0 || *n > largest) {
    at.error(Code::ShapesCannotCombine, range,
             fmt::format("'^' needs scalars, or a square matrix and a known exponent between 0 and {}; "
                         "use '.^' for powers of the elements",
                         largest));
    return {};
  }
  const auto size = static_cast<std::size_t>(matrix.shape()[0]);
  std::vector<NodeId> identity(size * size, at.all.pool.zero());
  for (std::size_t i = 0; i < size; ++i) identity[i * size + i] = at.all.pool.one();
  Value power(matrix.type(), matrix.shape(), std::move(identity)), square = matrix;
  for (std::int64_t rest = *n; rest > 0; rest /= 2) {  // by squaring
    if (rest % 2 != 0) power = multiply(at, power, square, range);
    if (rest > 1) square = multiply(at, square, square, range);
    if (!power.valid() || !square.valid()) return {};
  }
  return power;
}

// Equal texts have one number, so variables can be compared; which text is less is known of definite ones only.
Value relation_of_texts(const Environment& at, BinaryOperator op, const Value& left, const Value& right,
                        SourceRange range) {
  Pool& pool = at.all.pool;
  const auto holds = [&](const std::string& a, const std::string& b) {
    const bool result = op == BinaryOperator::Less        ? a < b
                        : op == BinaryOperator::LessEqual ? a <= b
                        : op == BinaryOperator::Greater   ? a > b
                        : op == BinaryOperator::Equal     ? a == b
                        : op == BinaryOperator::NotEqual  ? a != b
                                                          : a >= b;
    return pool.constant(result ? 1.0 : 0.0);
  };
  if (const auto result = combined_texts(at.all, left, right, holds)) return {Type::Boolean, *result};
  const bool by_number = op == BinaryOperator::Equal || op == BinaryOperator::NotEqual;
  const bool comparable = left.is_scalar() && right.is_scalar() && left.scalar() != unassigned &&
                          right.scalar() != unassigned && !has_indefinite_text(at.all, left.scalar()) &&
                          !has_indefinite_text(at.all, right.scalar());
  if (!by_number || !comparable) return refuse_changing_text(at, range);
  return {Type::Boolean,
          pool.binary(op == BinaryOperator::Equal ? Op::Equal : Op::NotEqual, left.scalar(), right.scalar())};
}

Value relation(const Environment& at, BinaryOperator op, const Value& left, const Value& right, SourceRange range) {
  if (!left.is_scalar() || !right.is_scalar()) {
    at.error(Code::ShapesCannotCombine, range,
             fmt::format("'{}' compares scalars, not {} and {}", to_string(op), to_string(left.shape()),
                         to_string(right.shape())));
    return {};
  }
  if (left.type() == Type::String && right.type() == Type::String) return relation_of_texts(at, op, left, right, range);
  if (left.enumeration() && right.enumeration() && *left.enumeration() != *right.enumeration()) {
    at.error(Code::TypesDiffer, range,
             fmt::format("'{}' cannot compare the enumerations {} and {}", to_string(op), *left.enumeration(),
                         *right.enumeration()));
    return {};
  }
  const bool comparable = (left.is_numeric() && right.is_numeric()) || left.type() == right.type();
  if (!comparable) {
    at.error(
        Code::TypesDiffer, range,
        fmt::format("'{}' cannot compare {} and {}", to_string(op), to_string(left.type()), to_string(right.type())));
    return {};
  }
  const bool swap = op == BinaryOperator::Greater || op == BinaryOperator::GreaterEqual;
  const NodeId a = left.scalar(), b = right.scalar();
  return {Type::Boolean, at.all.pool.binary(operation(op), swap ? b : a, swap ? a : b)};
}

bool require_numbers(const Environment& at, BinaryOperator op, const Value& left, const Value& right,
                     SourceRange range) {
  for (const Value* value : {&left, &right}) {
    if (value->is_numeric()) continue;
    at.error(Code::TypesDiffer, range,
             fmt::format("'{}' needs numbers, but its {} operand is {}", to_string(op),
                         value == &left ? "left" : "right", to_string(value->type())));
    return false;
  }
  return true;
}

void report_shapes(const Environment& at, BinaryOperator op, const Value& left, const Value& right, SourceRange range) {
  Diagnostic& error = at.error(Code::ShapesDiffer, range,
                               fmt::format("the operands of '{}' have different shapes: {} and {}", to_string(op),
                                           to_string(left.shape()), to_string(right.shape())));
  const bool one_scalar = left.is_scalar() || right.is_scalar();
  if (one_scalar && !is_elementwise(op))
    error.note(fmt::format("'.{}' combines a scalar with every element", to_string(op)));
}

}  // namespace

NodeId negation(Pool& pool, NodeId a) { return pool.unary(Op::Not, a); }
NodeId conjunction(Pool& pool, NodeId a, NodeId b) { return pool.binary(Op::And, a, b); }
NodeId disjunction(Pool& pool, NodeId a, NodeId b) { return pool.binary(Op::Or, a, b); }

Value apply_unary(const Environment& at, ast::UnaryOperator op, const Value& operand, SourceRange range) {
  if (!operand.valid()) return {};
  if (has_record_operators(operand, operand)) return apply_record_operator(at, op, operand, range);
  const bool logical = op == ast::UnaryOperator::Not;
  if (logical ? operand.type() != Type::Boolean : !operand.is_numeric()) {
    at.error(Code::TypesDiffer, range,
             fmt::format("'{}' needs {}, but its operand is {}", to_string(op), logical ? "a Boolean" : "a number",
                         to_string(operand.type())));
    return {};
  }
  if (op == ast::UnaryOperator::Plus || op == ast::UnaryOperator::ElementwisePlus) return operand;
  Value result = operand;
  for (NodeId& element : result.change()) element = at.all.pool.unary(logical ? Op::Not : Op::Neg, element);
  return result;
}

Value apply_binary(const Environment& at, BinaryOperator op, const Value& left, const Value& right, SourceRange range) {
  if (!left.valid() || !right.valid()) return {};
  if (has_record_operators(left, right)) return apply_record_operator(at, op, left, right, range);
  if (is_relation(op)) return relation(at, op, left, right, range);
  if (is_logical(op)) {
    if (left.type() != Type::Boolean || right.type() != Type::Boolean) {
      const Value& wrong = left.type() != Type::Boolean ? left : right;
      at.error(Code::TypesDiffer, range,
               fmt::format("'{}' needs Booleans, but its {} operand is {}", to_string(op),
                           &wrong == &left ? "left" : "right", to_string(wrong.type())));
      return {};
    }
    if (left.shape() != right.shape()) {
      at.error(Code::ShapesDiffer, range,
               fmt::format("the operands of '{}' have different shapes: {} and {}", to_string(op),
                           to_string(left.shape()), to_string(right.shape())));
      return {};
    }
    Value result = left;
    std::size_t k = 0;
    for (NodeId& element : result.change()) element = at.all.pool.binary(operation(op), element, right[k++]);
    return result;
  }
  if (op == BinaryOperator::Add && left.type() == Type::String && right.type() == Type::String)
    return joined(at, left, right, range);
  if (!require_numbers(at, op, left, right, range)) return {};

  const Op scalar_op = operation(op);
  if (left.is_scalar() && right.is_scalar())
    return {result_type(scalar_op, left, right), at.all.pool.binary(scalar_op, left.scalar(), right.scalar())};
  if (!at.all.spend(range, static_cast<std::int64_t>(std::max(left.size(), right.size())))) return {};

  const bool one_scalar = left.is_scalar() || right.is_scalar();
  switch (op) {
    case BinaryOperator::Multiply: return multiply(at, left, right, range);
    case BinaryOperator::Power: return matrix_power(at, left, right, range);
    case BinaryOperator::Divide:
      if (right.is_scalar()) return elementwise(at.all.pool, Op::Div, left, right);
      at.error(Code::ShapesCannotCombine, range,
               fmt::format("cannot divide by {}; use './' to divide by every element", to_string(right.shape())));
      return {};
    default: break;
  }
  if (left.shape() != right.shape() && !(one_scalar && is_elementwise(op))) {
    report_shapes(at, op, left, right, range);
    return {};
  }
  return elementwise(at.all.pool, scalar_op, left, right);
}

Type common_type(Type a, Type b) {
  if (a == b) return a;
  const bool numbers = (a == Type::Real || a == Type::Integer) && (b == Type::Real || b == Type::Integer);
  return numbers ? Type::Real : Type::Invalid;
}

Value choose(const Environment& at, NodeId condition, const Value& a, const Value& b, SourceRange range) {
  if (!a.valid() || !b.valid()) return {};
  const Type type = common_type(a.type(), b.type());
  if (type == Type::Invalid || a.shape() != b.shape()) {
    at.error(
        a.shape() != b.shape() ? Code::ShapesDiffer : Code::TypesDiffer, range,
        a.shape() != b.shape()
            ? fmt::format("the branches have different shapes: {} and {}", to_string(a.shape()), to_string(b.shape()))
            : fmt::format("the branches have different types: {} and {}", to_string(a.type()), to_string(b.type())));
    return {};
  }
  if (a.layout() != b.layout()) {
    at.error(Code::TypesDiffer, range, "the branches are records with different members");
    return {};
  }
  std::vector<NodeId> elements(a.size());
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = at.all.pool.if_else(condition, a[k], b[k]);
  if (a.is_record()) return a.like(a.shape(), std::move(elements));
  return Value(type, a.shape(), std::move(elements)).of_enumeration(a.enumeration());
}

Value convert(const Environment& at, const Value& value, Type wanted, SourceRange range, std::string_view what,
              const std::string* enumeration) {
  if (!value.valid() || wanted == Type::Invalid) return {};
  if (value.type() == wanted) {
    const std::string* own = value.enumeration();
    if (wanted == Type::Enumeration && enumeration && own && *own != *enumeration) {
      at.error(Code::TypesDiffer, range,
               fmt::format("{} must be of type {}, but this is of type {}", what, *enumeration, *own));
      return {};
    }
    return enumeration ? value.of_enumeration(enumeration) : value;
  }
  if (common_type(value.type(), wanted) == Type::Real && wanted == Type::Real) return value.with_type(Type::Real);
  at.error(Code::TypesDiffer, range,
           fmt::format("{} must be {}, but this is {}", what, to_string(wanted), to_string(value.type())));
  return {};
}

Value stack(const Environment& at, const std::vector<Value>& values, SourceRange range) {
  if (values.empty()) return {Type::Real, Shape{0}, {}};
  if (std::ranges::any_of(values, [](const Value& value) { return !value.valid(); })) return {};
  Type type = values.front().type();
  Shape shape = values.front().shape();
  std::vector<NodeId> elements;
  for (const Value& value : values) {
    type = common_type(type, value.type());
    if (type == Type::Invalid || value.shape() != shape) {
      at.error(value.shape() != shape ? Code::ShapesDiffer : Code::TypesDiffer, range,
               value.shape() != shape ? fmt::format("the elements of an array have different shapes: {} and {}",
                                                    to_string(shape), to_string(value.shape()))
                                      : fmt::format("the elements of an array have different types: {} and {}",
                                                    to_string(values.front().type()), to_string(value.type())));
      return {};
    }
    elements.insert(elements.end(), value.elements().begin(), value.elements().end());
  }
  shape.insert(shape.begin(), static_cast<std::int64_t>(values.size()));
  if (!at.all.fits(shape, range)) return {};
  const Value& first = values.front();
  for (const Value& value : values)
    if (value.layout() != first.layout()) {
      at.error(Code::TypesDiffer, range, "the elements of an array are records with different members");
      return {};
    }
  if (first.is_record()) return first.like(std::move(shape), std::move(elements));
  return {type, std::move(shape), std::move(elements)};
}

}  // namespace driftless::language
