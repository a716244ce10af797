// The operands of operators: numbers, names, calls, constructors of arrays.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>

#include "driftless/language/grammar.hpp"

namespace driftless {

using ast::Expression;

namespace {

ast::ExpressionPtr box(Expression expression) { return std::make_unique<Expression>(std::move(expression)); }

}  // namespace

Expression Grammar::make(Expression::Node node, std::uint32_t begin) const {
  return {std::move(node), in_.since(begin)};
}

// primary: UNSIGNED-NUMBER | STRING | false | true | ( component-reference | der | initial | pure )
//   function-call-args | component-reference | "(" output-expression-list ")" [ array-subscripts | "." IDENT ]
//   | "[" expression-list { ";" expression-list } "]" | "{" array-arguments "}" | end
Expression Grammar::primary() {
  const Token first = in_.current();
  switch (first.kind) {
    case TokenKind::Number: return number();
    case TokenKind::String: return string();
    case TokenKind::True:
    case TokenKind::False: in_.take(); return make(ast::Boolean{first.kind == TokenKind::True}, first.begin);
    case TokenKind::LeftParen: return parenthesised();
    case TokenKind::LeftBracket: return matrix_constructor();
    case TokenKind::LeftBrace: return array_constructor();
    case TokenKind::Identifier:
    case TokenKind::Dot:
    case TokenKind::Der:
    case TokenKind::Initial:
    case TokenKind::Pure: return reference_or_call();
    case TokenKind::End:
      if (subscript_depth_ == 0) break;
      in_.take();
      return make(ast::End{}, first.begin);
    default: break;
  }
  std::string_view hint;
  if (first.kind == TokenKind::If) hint = "an if-expression inside an expression needs parentheses";
  if (first.kind == TokenKind::Not) hint = "write parentheses: (not a)";
  if (first.kind == TokenKind::Equals) hint = "a comparison is written ==";
  if (first.kind == TokenKind::Star && in_.previous().kind == TokenKind::Star) hint = "a power is written a^b";
  in_.unexpected("an expression", hint);
}

Expression Grammar::number() {
  const Token token = in_.take();
  const std::string_view text = in_.text(token);
  ast::Number number;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto integer = std::from_chars(text.data(), end, whole);
  number.is_integer = integer.ptr == end && integer.ec == std::errc();
  const auto real = std::from_chars(text.data(), end, number.value);
  if (real.ec == std::errc::result_out_of_range) {
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent == std::string_view::npos ? text.front() == '0' : text[exponent + 1] == '-';
    number.value = tiny ? 0.0 : std::numeric_limits<double>::max();
    if (!tiny) in_.report(Code::NumberTooLarge, in_.range(token), fmt::format("{} is too large for a Real", text));
  }
  return make(number, token.begin);
}

Expression Grammar::string() {
  const Token token = in_.take();
  return make(ast::String{string_of(token)}, token.begin);
}

std::string Grammar::string_of(const Token& token) {
  StringValue value = string_value(in_.text(token));
  if (value.bad_escape != std::string::npos) {
    SourceRange where = in_.range(token);
    where.begin += static_cast<std::uint32_t>(value.bad_escape);
    where.end = where.begin + 2;
    in_.warn(Code::UnknownEscape, where, R"(this is no escape of Modelica; a backslash itself is written \\)");
  }
  return std::move(value.text);
}

// output-expression-list: [ expression ] { "," [ expression ] }
Expression Grammar::parenthesised() {
  const Token opening = in_.take();
  ast::Tuple tuple;
  bool comma = false;
  do {
    const bool absent = in_.at_any(TokenKind::Comma, TokenKind::RightParen);
    tuple.elements.push_back(absent ? nullptr : box(expression()));
    comma = comma || in_.at(TokenKind::Comma);
  } while (in_.accept(TokenKind::Comma));
  in_.close(TokenKind::RightParen, opening, "an operator or ')'");

  Expression result;
  if (!comma && tuple.elements.front()) {
    result = std::move(*tuple.elements.front());
    result.range = in_.since(opening);
  } else {
    if (!comma) tuple.elements.clear();
    result = make(std::move(tuple), opening.begin);
  }
  if (in_.at(TokenKind::LeftBracket)) {
    auto base = box(std::move(result));
    auto subscripts = array_subscripts();
    return make(ast::Selection{std::move(base), std::move(subscripts), {}}, opening.begin);
  }
  if (in_.accept(TokenKind::Dot)) {
    auto base = box(std::move(result));
    return make(ast::Selection{std::move(base), {}, identifier("the name of a member")}, opening.begin);
  }
  return result;
}

// "{" array-arguments "}"; array-arguments: expression ( { "," expression } | for for-indices )
Expression Grammar::array_constructor() {
  const Token opening = in_.take();
  if (in_.at(TokenKind::RightBrace)) {
    in_.unexpected("an expression", "an empty array is written fill(0.0, 0) or zeros(0)");
  }
  ast::ArrayConstructor array;
  const std::size_t since = index_uses_.size();
  array.elements.push_back(expression());
  if (in_.accept(TokenKind::For)) {
    array.iterators = for_indices();
    infer_ranges(array.iterators, since);
  } else {
    while (in_.accept(TokenKind::Comma)) array.elements.push_back(expression());
  }
  if (in_.at(TokenKind::Equals)) in_.unexpected("',' or '}'", "between braces an equation is written ==");
  in_.close(TokenKind::RightBrace, opening, "',' or '}'");
  return make(std::move(array), opening.begin);
}

// "[" expression-list { ";" expression-list } "]"
Expression Grammar::matrix_constructor() {
  const Token opening = in_.take();
  ast::MatrixConstructor matrix;
  ++open_matrices_;
  do {
    matrix.rows.push_back(expression_list());
  } while (in_.accept(TokenKind::Semicolon));
  in_.close(TokenKind::RightBracket, opening, "',', ';' or ']'");
  --open_matrices_;
  return make(std::move(matrix), opening.begin);
}

// ( component-reference | der | initial | pure ) function-call-args | component-reference
Expression Grammar::reference_or_call() {
  const Token first = in_.current();
  ast::Reference reference;
  if (is_keyword(first.kind)) {
    in_.take();
    reference.range = in_.range(first);
    reference.parts.push_back({{std::string(in_.text(first)), reference.range}, {}});
    if (!in_.at(TokenKind::LeftParen)) in_.unexpected(fmt::format("'(' after '{}'", in_.text(first)));
  } else {
    reference = component_reference();
  }
  if (in_.at(TokenKind::LeftParen)) return call_of(std::move(reference));
  return make(std::move(reference), first.begin);
}

// function-call-args: "(" [ function-arguments ] ")"
Expression Grammar::call_of(ast::Reference function) {
  const std::uint32_t begin = function.range.begin;
  const Token opening = in_.take();
  ast::Call call{std::move(function), {}, {}};
  if (!in_.at(TokenKind::RightParen)) call.arguments = function_arguments(call.iterators);
  in_.close(TokenKind::RightParen, opening, "',' or ')'");
  return make(std::move(call), begin);
}

// function-arguments: arguments separated by ",", the named ones last; or expression for for-indices
std::vector<ast::CallArgument> Grammar::function_arguments(std::vector<ast::Iterator>& iterators) {
  std::vector<ast::CallArgument> arguments;
  const std::size_t since = index_uses_.size();
  do {
    arguments.push_back(function_argument());
    const ast::CallArgument& last = arguments.back();
    if (arguments.size() > 1 && last.name.empty() && !arguments[arguments.size() - 2].name.empty()) {
      in_.fail(Code::NamedBeforeUnnamed, last.value.range, "an argument without a name cannot follow one with a name");
    }
  } while (in_.accept(TokenKind::Comma));
  if (in_.at(TokenKind::For) && arguments.size() == 1 && arguments.front().name.empty()) {
    in_.take();
    iterators = for_indices();
    infer_ranges(iterators, since);
  }
  return arguments;
}

// function-argument: function-partial-application | expression; named-argument: IDENT "=" function-argument
ast::CallArgument Grammar::function_argument() {
  ast::CallArgument argument;
  if (in_.at(TokenKind::Identifier, TokenKind::Equals)) {
    argument.name = identifier("the name of an argument");
    in_.take();
  }
  argument.value = in_.at(TokenKind::Function) ? partial_application() : expression();
  return argument;
}

// function-partial-application: function type-specifier "(" [ named-arguments ] ")"
Expression Grammar::partial_application() {
  const Nesting nesting(*this);
  const Token first = in_.take();
  ast::PartialApplication application;
  application.function = component_reference();
  const Token opening = in_.expect(TokenKind::LeftParen);
  while (!in_.at(TokenKind::RightParen)) {
    if (!in_.at(TokenKind::Identifier, TokenKind::Equals)) in_.unexpected("an argument with a name");
    application.arguments.push_back(function_argument());
    if (!in_.accept(TokenKind::Comma)) break;
  }
  in_.close(TokenKind::RightParen, opening, "',' or ')'");
  return make(std::move(application), first.begin);
}

// for-indices: IDENT [ in expression ] { "," IDENT [ in expression ] }
std::vector<ast::Iterator> Grammar::for_indices() {
  std::vector<ast::Iterator> iterators;
  do {
    ast::Iterator iterator{identifier("the name of an iterator"), nullptr};
    if (in_.at(TokenKind::Equals)) in_.unexpected("'in'", "a loop is written for i in 1:n");
    if (in_.accept(TokenKind::In)) iterator.range = box(expression());
    iterators.push_back(std::move(iterator));
  } while (in_.accept(TokenKind::Comma));
  return iterators;
}

// expression-list: expression { "," expression }
std::vector<Expression> Grammar::expression_list() {
  std::vector<Expression> list;
  do {
    list.push_back(expression());
  } while (in_.accept(TokenKind::Comma));
  return list;
}

// type-specifier: ["."] name; name: IDENT { "." IDENT }. Stops before the ".{" of an import.
ast::Name Grammar::name() {
  const Token first = in_.current();
  ast::Name result;
  result.global = in_.accept(TokenKind::Dot);
  do {
    result.parts.push_back(identifier("a name"));
  } while (!in_.at(TokenKind::Dot, TokenKind::LeftBrace) && in_.accept(TokenKind::Dot));
  result.range = in_.since(first);
  return result;
}

// component-reference: ["."] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] }
ast::Reference Grammar::component_reference() {
  const Token first = in_.current();
  ast::Reference result;
  result.global = in_.accept(TokenKind::Dot);
  if (result.global && in_.at(TokenKind::Number)) in_.unexpected("a name", "a number begins with a digit, as in 0.5");
  do {
    ast::ReferencePart part{identifier("a name"), {}};
    if (in_.at(TokenKind::LeftBracket)) part.subscripts = array_subscripts();
    const bool indexed = !part.subscripts.empty();
    result.parts.push_back(std::move(part));
    if (indexed) note_index_uses(result);
  } while (in_.accept(TokenKind::Dot));
  result.range = in_.since(first);
  return result;
}

void Grammar::note_index_uses(const ast::Reference& reference) {
  std::vector<ast::Identifier> array;
  for (const ast::ReferencePart& part : reference.parts) {
    if (!part.subscripts.empty() && &part != &reference.parts.back()) return;  // the size of a[k].x needs a k
    array.push_back(part.name);
  }
  const std::vector<ast::Subscript>& subscripts = reference.parts.back().subscripts;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const auto* index = subscripts[d] ? subscripts[d]->as<ast::Reference>() : nullptr;
    if (index && index->is_simple())
      index_uses_.push_back({index->parts.front().name.text, reference.global, array, static_cast<int>(d) + 1});
  }
}

void Grammar::infer_ranges(std::vector<ast::Iterator>& iterators, std::size_t since) const {
  for (ast::Iterator& iterator : iterators) {
    if (iterator.range) continue;
    const auto use = std::find_if(index_uses_.begin() + static_cast<std::ptrdiff_t>(since), index_uses_.end(),
                                  [&](const IndexUse& one) { return one.iterator == iterator.name.text; });
    if (use == index_uses_.end()) continue;  // the elaboration says that it is not known
    const SourceRange range = iterator.name.range;
    const auto node = [&](Expression::Node made) { return Expression{std::move(made), range}; };
    ast::Reference array{use->global, {}, range};
    for (const ast::Identifier& part : use->array) array.parts.push_back({part, {}});
    ast::Call size;
    size.function = {false, {}, range};
    size.function.parts.push_back({{"size", range}, {}});
    size.arguments.push_back({{}, node(std::move(array))});
    size.arguments.push_back({{}, node(ast::Number{static_cast<double>(use->dimension), true})});
    iterator.inferred = true;
    iterator.range = box(node(ast::Range{box(node(ast::Number{1.0, true})), nullptr, box(node(std::move(size)))}));
  }
}

// array-subscripts: "[" subscript { "," subscript } "]"; subscript: ":" | expression
std::vector<ast::Subscript> Grammar::array_subscripts() {
  const Token opening = in_.take();
  std::vector<ast::Subscript> subscripts;
  ++subscript_depth_;
  do {
    const bool whole = in_.at(TokenKind::Colon) && in_.accept(TokenKind::Colon);
    subscripts.push_back(whole ? nullptr : box(expression()));
  } while (in_.accept(TokenKind::Comma));
  --subscript_depth_;
  in_.close(TokenKind::RightBracket, opening, "',' or ']'");
  return subscripts;
}

ast::Identifier Grammar::identifier(std::string_view what) {
  if (in_.at(TokenKind::Identifier)) {
    const Token token = in_.take();
    return {std::string(in_.text(token)), in_.range(token)};
  }
  const Token& found = in_.current();
  const bool keyword = is_keyword(found.kind) && found.kind != TokenKind::End;
  in_.unexpected(
      what, keyword ? fmt::format("a keyword is no name; in quotes it is one: '{}'", in_.text(found)) : std::string());
}

}  // namespace driftless
