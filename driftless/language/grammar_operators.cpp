// Expressions of operators, one function for each level of precedence.
#include "driftless/language/grammar.hpp"

namespace driftless {

using ast::BinaryOperator;
using ast::Expression;

namespace {

ast::ExpressionPtr operand_of(Expression expression) { return std::make_unique<Expression>(std::move(expression)); }

std::optional<BinaryOperator> or_operator(TokenKind kind) {
  return kind == TokenKind::Or ? std::optional(BinaryOperator::Or) : std::nullopt;
}

std::optional<BinaryOperator> and_operator(TokenKind kind) {
  return kind == TokenKind::And ? std::optional(BinaryOperator::And) : std::nullopt;
}

std::optional<BinaryOperator> relational_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Less: return BinaryOperator::Less;
    case TokenKind::LessEqual: return BinaryOperator::LessEqual;
    case TokenKind::Greater: return BinaryOperator::Greater;
    case TokenKind::GreaterEqual: return BinaryOperator::GreaterEqual;
    case TokenKind::EqualEqual: return BinaryOperator::Equal;
    case TokenKind::NotEqual: return BinaryOperator::NotEqual;
    default: return std::nullopt;
  }
}

std::optional<BinaryOperator> additive_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Plus: return BinaryOperator::Add;
    case TokenKind::Minus: return BinaryOperator::Subtract;
    case TokenKind::DotPlus: return BinaryOperator::ElementwiseAdd;
    case TokenKind::DotMinus: return BinaryOperator::ElementwiseSubtract;
    default: return std::nullopt;
  }
}

std::optional<BinaryOperator> multiplicative_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Star: return BinaryOperator::Multiply;
    case TokenKind::Slash: return BinaryOperator::Divide;
    case TokenKind::DotStar: return BinaryOperator::ElementwiseMultiply;
    case TokenKind::DotSlash: return BinaryOperator::ElementwiseDivide;
    default: return std::nullopt;
  }
}

std::optional<BinaryOperator> power_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Caret: return BinaryOperator::Power;
    case TokenKind::DotCaret: return BinaryOperator::ElementwisePower;
    default: return std::nullopt;
  }
}

std::optional<ast::UnaryOperator> sign(TokenKind kind) {
  switch (kind) {
    case TokenKind::Plus: return ast::UnaryOperator::Plus;
    case TokenKind::Minus: return ast::UnaryOperator::Minus;
    case TokenKind::DotPlus: return ast::UnaryOperator::ElementwisePlus;
    case TokenKind::DotMinus: return ast::UnaryOperator::ElementwiseMinus;
    default: return std::nullopt;
  }
}

}  // namespace

Expression Grammar::binary(Expression left, BinaryOperator op, Expression right) const {
  const std::uint32_t begin = left.range.begin;
  ast::Binary chain{operand_of(std::move(left)), {}};
  chain.rest.push_back({op, std::move(right)});
  return make(std::move(chain), begin);
}

// first { operator operand }, kept flat
Expression Grammar::left_associative(Expression first, Expression (Grammar::*operand)(), OperatorOf operator_of) {
  auto op = operator_of(in_.current().kind);
  if (!op) return first;
  const std::uint32_t begin = first.range.begin;
  ast::Binary chain{operand_of(std::move(first)), {}};
  for (; op; op = operator_of(in_.current().kind)) {
    in_.take();
    chain.rest.push_back({*op, (this->*operand)()});
  }
  return make(std::move(chain), begin);
}

// expression: simple-expression | if-expression
Expression Grammar::expression() {
  const Nesting nesting(*this);
  return in_.at(TokenKind::If) ? if_expression() : simple_expression();
}

// if-expression: if expression then expression { elseif expression then expression } else expression
Expression Grammar::if_expression() {
  const Token first = in_.take();
  ast::IfExpression result;
  for (;;) {
    auto condition = operand_of(expression());
    in_.expect(TokenKind::Then, in_.at(TokenKind::Equals) ? "a comparison is written ==" : "");
    result.branches.push_back({std::move(condition), operand_of(expression())});
    if (in_.accept(TokenKind::ElseIf)) continue;
    in_.expect(TokenKind::Else, "an if-expression has a value in every case: it needs an else");
    if (!in_.accept(TokenKind::If)) break;
  }
  result.otherwise = operand_of(expression());
  return make(std::move(result), first.begin);
}

// simple-expression: logical-expression [ ":" logical-expression [ ":" logical-expression ] ]
Expression Grammar::simple_expression() {
  Expression first = logical_expression();
  if (!in_.accept(TokenKind::Colon)) return first;
  const std::uint32_t begin = first.range.begin;
  ast::Range range{operand_of(std::move(first)), nullptr, operand_of(logical_expression())};
  if (in_.accept(TokenKind::Colon)) {
    range.step = std::move(range.last);
    range.last = operand_of(logical_expression());
  }
  return make(std::move(range), begin);
}

// logical-expression: logical-term { or logical-term }
Expression Grammar::logical_expression() {
  return left_associative(logical_term(), &Grammar::logical_term, or_operator);
}

// logical-term: logical-factor { and logical-factor }
Expression Grammar::logical_term() {
  return left_associative(logical_factor(), &Grammar::logical_factor, and_operator);
}

// logical-factor: [ not ] relation
Expression Grammar::logical_factor() {
  const Token first = in_.current();
  if (!in_.accept(TokenKind::Not)) return relation();
  auto operand = operand_of(relation());
  return make(ast::Unary{ast::UnaryOperator::Not, std::move(operand)}, first.begin);
}

// relation: arithmetic-expression [ relational-operator arithmetic-expression ]
Expression Grammar::relation() {
  Expression left = arithmetic_expression();
  const auto op = relational_operator(in_.current().kind);
  if (!op) return left;
  in_.take();
  Expression right = arithmetic_expression();
  if (relational_operator(in_.current().kind)) {
    in_.fail(Code::ChainedOperators, in_.range(in_.current()), "relations do not chain",
             "a condition on both sides is written a < b and b < c");
  }
  return binary(std::move(left), *op, std::move(right));
}

// arithmetic-expression: [ add-operator ] term { add-operator term }
Expression Grammar::arithmetic_expression() {
  const Token first = in_.current();
  const auto op = sign(first.kind);
  if (!op) return left_associative(term(), &Grammar::term, additive_operator);
  in_.take();
  auto operand = operand_of(term());
  Expression signed_term = make(ast::Unary{*op, std::move(operand)}, first.begin);
  return left_associative(std::move(signed_term), &Grammar::term, additive_operator);
}

// term: factor { mul-operator factor }
Expression Grammar::term() { return left_associative(factor(), &Grammar::factor, multiplicative_operator); }

// factor: primary [ ( "^" | ".^" ) primary ]
Expression Grammar::factor() {
  const Token first = in_.current();
  if (const auto op = sign(first.kind)) {
    in_.warn(Code::SignWithoutParentheses, in_.range(first),
             "a sign behind an operator needs parentheses in Modelica: write a * (-b)");
    in_.take();
    if (sign(in_.current().kind)) in_.unexpected("an operand");
    auto operand = operand_of(factor());
    return make(ast::Unary{*op, std::move(operand)}, first.begin);
  }
  Expression base = primary();
  const auto op = power_operator(in_.current().kind);
  if (!op) return base;
  in_.take();
  Expression power = exponent();
  if (power_operator(in_.current().kind)) {
    in_.fail(Code::ChainedOperators, in_.range(in_.current()), "powers do not chain", "write (a^b)^c or a^(b^c)");
  }
  return binary(std::move(base), *op, std::move(power));
}

// The right side of ^, where a sign is tolerated as in factor().
Expression Grammar::exponent() {
  const Token first = in_.current();
  const auto op = sign(first.kind);
  if (!op) return primary();
  in_.warn(Code::SignWithoutParentheses, in_.range(first),
           "a sign behind an operator needs parentheses in Modelica: write a^(-b)");
  in_.take();
  auto operand = operand_of(primary());
  return make(ast::Unary{*op, std::move(operand)}, first.begin);
}

}  // namespace driftless
