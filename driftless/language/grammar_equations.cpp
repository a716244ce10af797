#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/grammar.hpp"

namespace driftless {

using ast::Expression;

// --------------------------------------------------------------------------------------------- sections, lists

// equation-section: [ initial ] equation { equation ";" }; Base Modelica: parameter equation
ast::EquationSection Grammar::equation_section() {
  const Token first = in_.current();
  ast::EquationSection section;
  if (in_.accept(TokenKind::Initial)) section.kind = ast::EquationKind::Initial;
  if (in_.accept(TokenKind::Parameter)) section.kind = ast::EquationKind::Parameter;
  in_.expect(TokenKind::Equation);
  section.equations = equation_list();
  section.range = in_.since(first);
  return section;
}

// algorithm-section: [ initial ] algorithm { statement ";" }
ast::AlgorithmSection Grammar::algorithm_section() {
  const Token first = in_.current();
  ast::AlgorithmSection section;
  section.initial = in_.accept(TokenKind::Initial);
  in_.expect(TokenKind::Algorithm);
  section.statements = statement_list();
  section.range = in_.since(first);
  return section;
}

bool Grammar::at_end_of_body() const {
  switch (in_.current().kind) {
    case TokenKind::EndOfFile:
    case TokenKind::End:
    case TokenKind::Else:
    case TokenKind::ElseIf:
    case TokenKind::ElseWhen:
    case TokenKind::Equation:
    case TokenKind::Algorithm:
    case TokenKind::Public:
    case TokenKind::Protected:
    case TokenKind::External:
    case TokenKind::Annotation: return true;
    case TokenKind::Initial:
      return in_.following().kind == TokenKind::Equation || in_.following().kind == TokenKind::Algorithm;
    case TokenKind::Parameter: return in_.following().kind == TokenKind::Equation;
    default: return false;
  }
}

// { item ";" }, where an item with an error is skipped.
template <class Item>
std::vector<Item> Grammar::list_of(Item (Grammar::*item)(), std::string_view what) {
  std::vector<Item> list;
  after_missing_semicolon_ = false;
  while (!at_end_of_body()) {
    if (in_.at(TokenKind::Semicolon)) {
      in_.warn(Code::EmptyStatement, in_.range(in_.current()), "there is nothing before this ';'");
      in_.take();
      continue;
    }
    try {
      list.push_back((this->*item)());
      after_missing_semicolon_ = !in_.expect_semicolon(what);
    } catch (Panic) {
      recover();
    }
  }
  return list;
}

std::vector<ast::Equation> Grammar::equation_list() { return list_of(&Grammar::equation, "this equation"); }

std::vector<ast::Statement> Grammar::statement_list() { return list_of(&Grammar::statement, "this statement"); }

// ------------------------------------------------------------------------------------- blocks, for both kinds

// The condition of if, elseif, while, when or elsewhen, with the keyword that ends it. When that keyword is missing
// or the condition is wrong the body is still read, so that its own errors are found and its `end` is matched.
Expression Grammar::condition(TokenKind keyword) {
  try {
    Expression result = expression();
    if (in_.accept(keyword)) return result;
    if (!in_.begins_line()) {
      in_.unexpected(fmt::format("'{}'", spelling(keyword)),
                     in_.at(TokenKind::Equals) ? "a comparison is written ==" : "");
    }
    in_.report(Code::MissingKeyword, in_.behind_previous(),
               fmt::format("missing '{}' after this condition", spelling(keyword)));
    return result;
  } catch (Panic) {
    if (!in_.skip_to(keyword)) throw;
    return {};
  }
}

// for-indices loop
std::vector<ast::Iterator> Grammar::loop_header() {
  try {
    auto iterators = for_indices();
    if (in_.accept(TokenKind::Loop)) return iterators;
    if (!in_.begins_line()) in_.unexpected("'loop'");
    in_.report(Code::MissingKeyword, in_.behind_previous(), "missing 'loop' after this range");
    return iterators;
  } catch (Panic) {
    if (!in_.skip_to(TokenKind::Loop)) throw;
    return {};
  }
}

// if expression then body { elseif expression then body } [ else body ] end if
template <class Block, class List>
Block Grammar::if_block(List list) {
  const Token first = in_.take();
  const OpenScope scope(*this, {TokenKind::If, in_.range(first), {}, {}});
  Block block;
  do {
    Expression when_true = condition(TokenKind::Then);
    block.branches.push_back({std::move(when_true), (this->*list)()});
  } while (in_.accept(TokenKind::ElseIf));
  if (in_.accept(TokenKind::Else)) {
    if (in_.at(TokenKind::If) && !in_.begins_line()) {
      open_.back().else_if = join(in_.range(in_.previous()), in_.range(in_.current()));
    }
    block.otherwise = (this->*list)();
  }
  end_of_block();
  return block;
}

// when expression then body { elsewhen expression then body } end when
template <class Block, class List>
Block Grammar::when_block(List list) {
  const Token first = in_.take();
  const OpenScope scope(*this, {TokenKind::When, in_.range(first), {}, {}});
  Block block;
  do {
    Expression trigger = condition(TokenKind::Then);
    block.branches.push_back({std::move(trigger), (this->*list)()});
  } while (in_.accept(TokenKind::ElseWhen));
  end_of_block();
  return block;
}

// for for-indices loop body end for
template <class Block, class List>
Block Grammar::for_block(List list) {
  const Token first = in_.take();
  const OpenScope scope(*this, {TokenKind::For, in_.range(first), {}, {}});
  Block block;
  block.iterators = loop_header();
  const std::size_t since = index_uses_.size();
  block.body = (this->*list)();
  infer_ranges(block.iterators, since);
  end_of_block();
  return block;
}

// while expression loop body end while
ast::WhileStatement Grammar::while_statement() {
  const Token first = in_.take();
  const OpenScope scope(*this, {TokenKind::While, in_.range(first), {}, {}});
  ast::WhileStatement loop;
  loop.condition = condition(TokenKind::Loop);
  loop.body = statement_list();
  end_of_block();
  return loop;
}

// end if, end for, end while, end when: the one that belongs to the innermost open block.
void Grammar::end_of_block() {
  const Open& block = open_.back();
  if (in_.at(TokenKind::End, block.kind)) {
    in_.take();
    in_.take();
    return;
  }
  if (in_.at(TokenKind::InvalidCharacter)) in_.unexpected("a statement");
  const Token first = in_.current();
  const Token second = in_.following();
  const bool other_end =
      first.kind == TokenKind::End && (is_keyword(second.kind) || second.kind == TokenKind::Identifier);
  const SourceRange where = other_end ? join(in_.range(first), in_.range(second)) : in_.range(first);
  const std::string found = other_end ? fmt::format("'end {}'", in_.text(second)) : in_.describe(first);
  const std::string_view word = spelling(block.kind);
  if (Diagnostic* error = in_.report(Code::WrongEnd, where, fmt::format("expected 'end {}', found {}", word, found))) {
    error->note(fmt::format("this '{}' is not ended", word), block.range);
    if (block.else_if.known()) {
      error->note("'else if' begins a second if that needs its own 'end if': was 'elseif' meant?", block.else_if);
    }
  }
  // An `end` that matches no outer block was meant for this one.
  const bool ends_outer = std::any_of(open_.begin(), open_.end() - 1, [&](const Open& outer) {
    return outer.kind == TokenKind::Class ? outer.name == in_.text(second) : outer.kind == second.kind;
  });
  if (other_end && !ends_outer) in_.take();
  throw Panic{};
}

// --------------------------------------------------------------------------------------------------- equations

// equation: ( simple-expression "=" expression | if-equation | for-equation | connect-equation | when-equation
//   | component-reference function-call-args ) comment
ast::Equation Grammar::equation() {
  const Nesting nesting(*this);
  const Token first = in_.current();
  ast::Equation result;
  switch (first.kind) {
    case TokenKind::If: result.node = if_block<ast::IfEquation>(&Grammar::equation_list); break;
    case TokenKind::For: result.node = for_block<ast::ForEquation>(&Grammar::equation_list); break;
    case TokenKind::When: result.node = when_block<ast::WhenEquation>(&Grammar::equation_list); break;
    case TokenKind::While:
      in_.fail(Code::WrongPlace, in_.range(first), "'while' belongs into an algorithm",
               "equations repeat with for i in 1:n loop");
    case TokenKind::Connect: {
      auto [from, to] = connect_clause();
      result.node = ast::Connect{std::move(from), std::move(to)};
      break;
    }
    default: simple_equation(result);
  }
  result.range = in_.since(first);
  result.comment = comment();
  return result;
}

// simple-expression "=" expression | component-reference function-call-args
void Grammar::simple_equation(ast::Equation& equation) {
  refuse_declaration("'equation'");
  const bool doubtful = std::exchange(after_missing_semicolon_, false);
  Expression left = simple_expression();
  if (in_.at(TokenKind::Assign)) {
    in_.report(Code::WrongEqualsSign, in_.range(in_.current()), "an equation is written with '=', not with ':='");
  }
  if (in_.accept(TokenKind::Equals) || in_.accept(TokenKind::Assign)) {
    equation.node = ast::Equality{std::move(left), expression()};
    return;
  }
  if (left.as<ast::Call>()) {
    equation.node = ast::CallEquation{std::move(left)};
    return;
  }
  if (doubtful) throw Panic{};  // more likely the rest of the previous equation than a new one
  const auto* relation = left.as<ast::Binary>();
  if (relation && relation->rest.front().op == ast::BinaryOperator::Equal && !in_.at(TokenKind::Identifier)) {
    in_.fail(Code::WrongEqualsSign, left.range, "an equation is written with '=', not with '=='");
  }
  in_.unexpected("'='", likely_cause(left));
}

// connect-equation: connect "(" component-reference "," component-reference ")"
std::pair<ast::Reference, ast::Reference> Grammar::connect_clause() {
  in_.take();
  const Token opening = in_.expect(TokenKind::LeftParen);
  ast::Reference from = component_reference();
  in_.expect(TokenKind::Comma);
  ast::Reference to = component_reference();
  in_.close(TokenKind::RightParen, opening, "')'");
  return {std::move(from), std::move(to)};
}

// Why something that begins like an expression is neither an equation nor a statement.
std::string_view Grammar::likely_cause(const Expression& left) const {
  const auto* reference = left.as<ast::Reference>();
  if (!reference || !in_.at(TokenKind::Identifier)) return {};
  const std::string word = reference->dotted();
  if (word == "elsif" || word == "elif" || word == "elseIf") return "'elseif' is one word";
  if (!capitalised_keyword(word).empty()) return "keywords are written in small letters";
  if (in_.begins_line()) return {};
  return "a declaration belongs before the first 'equation' or 'algorithm'";
}

// Declarations after `equation` are a frequent mistake, and their keywords would otherwise give confusing errors.
void Grammar::refuse_declaration(std::string_view section) {
  switch (in_.current().kind) {
    case TokenKind::Parameter:
    case TokenKind::Constant:
    case TokenKind::Discrete:
    case TokenKind::Input:
    case TokenKind::Output:
    case TokenKind::Flow:
    case TokenKind::Stream:
    case TokenKind::Import:
    case TokenKind::Extends:
      in_.fail(Code::WrongPlace, in_.range(in_.current()), fmt::format("a declaration belongs before {}", section));
    default:
      if (at_class_prefix() && !in_.at(TokenKind::Pure)) {
        in_.fail(Code::WrongPlace, in_.range(in_.current()), fmt::format("a class belongs before {}", section),
                 "or is the 'end' of the class around it missing?");
      }
  }
}

// -------------------------------------------------------------------------------------------------- statements

// statement: ( component-reference ( ":=" expression | function-call-args ) | "(" output-expression-list ")" ":="
//   component-reference function-call-args | break | return | if-statement | for-statement | while-statement
//   | when-statement ) comment
ast::Statement Grammar::statement() {
  const Nesting nesting(*this);
  const Token first = in_.current();
  ast::Statement result;
  switch (first.kind) {
    case TokenKind::If: result.node = if_block<ast::IfStatement>(&Grammar::statement_list); break;
    case TokenKind::For: result.node = for_block<ast::ForStatement>(&Grammar::statement_list); break;
    case TokenKind::When: result.node = when_block<ast::WhenStatement>(&Grammar::statement_list); break;
    case TokenKind::While: result.node = while_statement(); break;
    case TokenKind::Break:
      in_.take();
      result.node = ast::Break{};
      break;
    case TokenKind::Return:
      in_.take();
      if (!in_.at_any(TokenKind::Semicolon, TokenKind::String, TokenKind::Annotation) && !in_.begins_line()) {
        in_.unexpected("';' after 'return'", "a function returns the values of its outputs");
      }
      result.node = ast::Return{};
      break;
    case TokenKind::Connect: in_.fail(Code::WrongPlace, in_.range(first), "'connect' belongs into an equation section");
    default: simple_statement(result);
  }
  result.range = in_.since(first);
  result.comment = comment();
  return result;
}

// component-reference ( ":=" expression | function-call-args )
//   | "(" output-expression-list ")" ":=" component-reference function-call-args
void Grammar::simple_statement(ast::Statement& statement) {
  refuse_declaration("'algorithm'");
  const bool doubtful = std::exchange(after_missing_semicolon_, false);
  Expression left = simple_expression();
  if (in_.at(TokenKind::Equals)) {
    in_.report(Code::WrongEqualsSign, in_.range(in_.current()),
               "an assignment in an algorithm is written with ':=', not with '='");
  }
  if (in_.accept(TokenKind::Assign) || in_.accept(TokenKind::Equals)) {
    assignment(statement, std::move(left));
  } else if (left.as<ast::Call>()) {
    statement.node = ast::CallStatement{std::move(left)};
  } else if (doubtful) {
    throw Panic{};  // more likely the rest of the previous statement than a new one
  } else {
    in_.unexpected("':='", likely_cause(left));
  }
}

void Grammar::assignment(ast::Statement& statement, Expression target) {
  if (auto* reference = std::get_if<ast::Reference>(&target.node)) {
    statement.node = ast::Assignment{std::move(*reference), expression()};
    return;
  }
  auto* tuple = std::get_if<ast::Tuple>(&target.node);
  if (!tuple) in_.fail(Code::NotATarget, target.range, "only a variable, or several as in (a, b), can be assigned to");
  ast::TupleAssignment result;
  for (ast::ExpressionPtr& element : tuple->elements) {
    result.targets.emplace_back();
    if (!element) continue;
    auto* reference = std::get_if<ast::Reference>(&element->node);
    if (!reference) in_.fail(Code::NotATarget, element->range, "only a variable can be assigned to");
    result.targets.back() = std::move(*reference);
  }
  result.call = expression();
  if (!result.call.as<ast::Call>()) {
    in_.fail(Code::NotATarget, result.call.range, "several variables can be assigned only from the call of a function");
  }
  statement.node = std::move(result);
}

}  // namespace driftless
