#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "driftless/language/grammar.hpp"

namespace driftless {

namespace {

// end if, end for, ...
bool ends_block(TokenKind word) {
  return word == TokenKind::If || word == TokenKind::For || word == TokenKind::When || word == TokenKind::While;
}

}  // namespace

Grammar::Grammar(FileId file, const Sources& sources, Diagnostics& diagnostics) : in_(file, sources, diagnostics) {}

Grammar::Nesting::Nesting(Grammar& grammar) : grammar_(grammar) {
  if (grammar_.depth_ == ast::max_depth) {
    grammar_.in_.abandon(Code::NestedTooDeeply, grammar_.in_.range(grammar_.in_.current()),
                         fmt::format("this is nested more than {} levels deep", ast::max_depth));
  }
  ++grammar_.depth_;
}

void Grammar::recover() {
  subscript_depth_ = 0;
  after_missing_semicolon_ = false;
  in_.skip_statement(std::exchange(open_matrices_, 0));
}

// ------------------------------------------------------------------------------------------- stored definition

// stored-definition: [ within [ name ] ";" ] { [ final ] class-definition ";" }
void Grammar::stored_definition(ast::StoredDefinition& result) {
  if (in_.at(TokenKind::Within)) {
    try {
      in_.take();
      result.within = in_.at(TokenKind::Semicolon) ? ast::Name{} : name();
      in_.expect_semicolon("'within'");
    } catch (Panic) {
      recover();
    }
  }
  while (!in_.at(TokenKind::EndOfFile)) {
    try {
      const Token first = in_.current();
      const bool is_final = in_.accept(TokenKind::Final);
      if (!at_class_prefix()) refuse_top_level();
      ast::ClassDefinition definition = class_definition(first.begin);
      definition.is_final = is_final;
      result.classes.push_back(std::move(definition));
      in_.expect_semicolon("the end of this class");
    } catch (Panic) {
      recover();
      skip_to_class();
    }
  }
}

// Reports text outside of classes.
void Grammar::refuse_top_level() {
  if (in_.at(TokenKind::End, TokenKind::Identifier)) {
    in_.fail(Code::WrongEnd, in_.range(in_.following()),
             fmt::format("'end {}' ends no class that is open here", in_.text(in_.following())));
  }
  if (in_.at(TokenKind::Within))
    in_.fail(Code::WrongPlace, in_.range(in_.current()), "'within' must be the first word of the text");
  if (in_.at(TokenKind::Semicolon)) in_.unexpected("a class definition", "is there one ';' too many?");
  const std::string_view keyword = capitalised_keyword(in_.text(in_.current()));
  in_.unexpected("a class definition (model, package, function, ...)",
                 keyword.empty() ? std::string() : fmt::format("keywords are written in small letters: {}", keyword));
}

// Skips to the next class, before which no further error is worth reporting.
void Grammar::skip_to_class() {
  const auto begins_class = [this] { return at_class_prefix() || in_.at(TokenKind::Final); };
  while (!in_.at(TokenKind::EndOfFile) && !(begins_class() && in_.begins_line())) in_.take();
}

// ----------------------------------------------------------------------------------------------------- classes

bool Grammar::at_class_prefix() const {
  return in_.at_any(TokenKind::Encapsulated, TokenKind::Partial, TokenKind::Class, TokenKind::Model, TokenKind::Record,
                    TokenKind::Block, TokenKind::Connector, TokenKind::Expandable, TokenKind::Type, TokenKind::Package,
                    TokenKind::Function, TokenKind::Operator, TokenKind::Impure) ||
         in_.at(TokenKind::Pure, TokenKind::Function) || in_.at(TokenKind::Pure, TokenKind::Operator);
}

// class-definition: [ encapsulated ] class-prefixes class-specifier
ast::ClassDefinition Grammar::class_definition(std::uint32_t begin) {
  const Nesting nesting(*this);
  ast::ClassDefinition definition;
  definition.encapsulated = in_.accept(TokenKind::Encapsulated);
  class_prefixes(definition);
  class_specifier(definition, begin);
  definition.range = in_.since(begin);
  return definition;
}

// class-prefixes: [ partial ] ( class | model | [ operator ] record | block | [ expandable ] connector | type
//   | package | [ pure | impure ] [ operator ] function | operator )
void Grammar::class_prefixes(ast::ClassDefinition& definition) {
  definition.partial = in_.accept(TokenKind::Partial);
  if (in_.accept(TokenKind::Pure)) {
    definition.purity = ast::Purity::Pure;
  } else if (in_.accept(TokenKind::Impure)) {
    definition.purity = ast::Purity::Impure;
  }
  const bool function_only = definition.purity != ast::Purity::Unspecified;
  if (in_.accept(TokenKind::Expandable)) {
    in_.expect(TokenKind::Connector);
    definition.kind = ast::ClassKind::ExpandableConnector;
  } else if (in_.accept(TokenKind::Operator)) {
    definition.kind = in_.accept(TokenKind::Record)     ? ast::ClassKind::OperatorRecord
                      : in_.accept(TokenKind::Function) ? ast::ClassKind::OperatorFunction
                                                        : ast::ClassKind::Operator;
  } else if (function_only) {
    in_.expect(TokenKind::Function);
    definition.kind = ast::ClassKind::Function;
  } else {
    switch (in_.current().kind) {
      case TokenKind::Class: definition.kind = ast::ClassKind::Class; break;
      case TokenKind::Model: definition.kind = ast::ClassKind::Model; break;
      case TokenKind::Record: definition.kind = ast::ClassKind::Record; break;
      case TokenKind::Block: definition.kind = ast::ClassKind::Block; break;
      case TokenKind::Connector: definition.kind = ast::ClassKind::Connector; break;
      case TokenKind::Type: definition.kind = ast::ClassKind::Type; break;
      case TokenKind::Package: definition.kind = ast::ClassKind::Package; break;
      case TokenKind::Function: definition.kind = ast::ClassKind::Function; break;
      default: in_.unexpected("a kind of class (model, package, function, ...)");
    }
    in_.take();
  }
}

// class-specifier: long-class-specifier | short-class-specifier | der-class-specifier
void Grammar::class_specifier(ast::ClassDefinition& definition, std::uint32_t begin) {
  if (in_.accept(TokenKind::Extends)) {
    ast::LongClass body;
    body.extends = true;
    definition.name = identifier("the name of a class");
    if (in_.at(TokenKind::LeftParen)) body.modifiers = class_modification();
    long_class_specifier(definition, std::move(body), begin);
    return;
  }
  definition.name = identifier("the name of a class");
  if (!in_.accept(TokenKind::Equals)) {
    long_class_specifier(definition, {}, begin);
    return;
  }
  if (in_.at(TokenKind::Enumeration)) {
    definition.node = enumeration();
  } else if (in_.at(TokenKind::Der)) {
    definition.node = derivative_class();
  } else {
    definition.node = short_class();
  }
  definition.comment = comment();
}

// long-class-specifier: IDENT string-comment composition end IDENT
//   | extends IDENT [ class-modification ] string-comment composition end IDENT
void Grammar::long_class_specifier(ast::ClassDefinition& definition, ast::LongClass body, std::uint32_t begin) {
  const OpenScope scope(*this, {TokenKind::Class, in_.since(begin), definition.name.text, {}});
  const std::uint32_t comment_begin = in_.current().begin;
  definition.comment.text = string_comment();
  if (in_.previous().end > comment_begin) definition.comment.range = in_.since(comment_begin);
  composition(body);
  end_of_class(definition);
  definition.node = std::move(body);
}

// IDENT "=" base-prefix type-specifier [ array-subscripts ] [ class-modification ] comment
ast::ShortClass Grammar::short_class() {
  ast::ShortClass result;
  if (in_.accept(TokenKind::Input)) {
    result.causality = ast::Causality::Input;
  } else if (in_.accept(TokenKind::Output)) {
    result.causality = ast::Causality::Output;
  }
  result.base = name();
  if (in_.at(TokenKind::LeftBracket)) result.subscripts = array_subscripts();
  if (in_.at(TokenKind::LeftParen)) result.modifiers = class_modification();
  return result;
}

// IDENT "=" enumeration "(" ( [ enum-list ] | ":" ) ")" comment; enum-list: IDENT comment { "," IDENT comment }
ast::Enumeration Grammar::enumeration() {
  in_.take();
  ast::Enumeration result;
  const Token opening = in_.expect(TokenKind::LeftParen);
  result.open = in_.accept(TokenKind::Colon);
  if (!result.open && !in_.at(TokenKind::RightParen)) {
    do {
      ast::Identifier literal = identifier("the name of a literal");
      result.literals.push_back({std::move(literal), comment()});
    } while (in_.accept(TokenKind::Comma));
  }
  in_.close(TokenKind::RightParen, opening, "',' or ')'");
  return result;
}

// der-class-specifier: IDENT "=" der "(" type-specifier "," IDENT { "," IDENT } ")" comment
ast::DerivativeClass Grammar::derivative_class() {
  in_.take();
  ast::DerivativeClass result;
  const Token opening = in_.expect(TokenKind::LeftParen);
  result.function = name();
  in_.expect(TokenKind::Comma);
  do {
    result.variables.push_back(identifier("the name of an input"));
  } while (in_.accept(TokenKind::Comma));
  in_.close(TokenKind::RightParen, opening, "',' or ')'");
  return result;
}

// end IDENT, with the name that the class began with
void Grammar::end_of_class(const ast::ClassDefinition& definition) {
  index_uses_.clear();
  const std::string& name = definition.name.text;
  const auto begins_here = [&](Diagnostic* error) {
    if (error) error->note(fmt::format("{} '{}' begins here", to_string(definition.kind), name), open_.back().range);
  };
  if (!in_.at(TokenKind::End)) {
    begins_here(
        in_.report(Code::WrongEnd, in_.range(in_.current()), fmt::format("the text ends without 'end {};'", name)));
    throw Panic{};
  }
  if (!in_.at(TokenKind::End, TokenKind::Identifier)) {
    in_.take();
    begins_here(in_.report(Code::WrongEnd, in_.behind_previous(),
                           fmt::format("expected 'end {};' with the name of the class", name)));
    if (is_keyword(in_.current().kind)) in_.take();
    return;
  }
  const std::string found(in_.text(in_.following()));
  if (found != name) {
    begins_here(in_.report(Code::WrongEnd, in_.range(in_.following()),
                           fmt::format("expected 'end {}', found 'end {}'", name, found)));
    const bool ends_outer = std::any_of(open_.begin(), open_.end() - 1, [&](const Open& open) {
      return open.kind == TokenKind::Class && open.name == found;
    });
    if (ends_outer) throw Panic{};
  }
  in_.take();
  in_.take();
}

// ------------------------------------------------------------------------------------------------- composition

// composition: element-list { public element-list | protected element-list | equation-section | algorithm-section }
//   [ external ... ";" ] [ annotation-clause ";" ]. An annotation is accepted anywhere, as older models have it.
void Grammar::composition(ast::LongClass& body) {
  bool is_protected = false;
  int errors = in_.errors();
  for (;;) {
    try {
      switch (in_.current().kind) {
        case TokenKind::EndOfFile: return;
        case TokenKind::End:
          if (!ends_block(in_.following().kind)) return;
          refuse_stray(errors);
        case TokenKind::Else:
        case TokenKind::ElseIf:
        case TokenKind::ElseWhen: refuse_stray(errors);
        case TokenKind::Public:
        case TokenKind::Protected: is_protected = in_.take().kind == TokenKind::Protected; break;
        case TokenKind::Equation:
          errors = in_.errors();
          body.equations.push_back(equation_section());
          break;
        case TokenKind::Algorithm:
          errors = in_.errors();
          body.algorithms.push_back(algorithm_section());
          break;
        case TokenKind::Initial:
          errors = in_.errors();
          if (in_.following().kind == TokenKind::Algorithm) {
            body.algorithms.push_back(algorithm_section());
          } else {
            body.equations.push_back(equation_section());
          }
          break;
        case TokenKind::External:
          body.external = external();
          in_.expect_semicolon("the external function");
          break;
        case TokenKind::Annotation:
          class_annotation(body);
          in_.expect_semicolon("this annotation");
          break;
        case TokenKind::Semicolon:
          in_.warn(Code::EmptyStatement, in_.range(in_.current()), "there is nothing before this ';'");
          in_.take();
          break;
        case TokenKind::Parameter:
          if (in_.following().kind == TokenKind::Equation) {
            errors = in_.errors();
            body.equations.push_back(equation_section());
            break;
          }
          [[fallthrough]];
        default: body.elements.push_back(element(is_protected)); in_.expect_semicolon("this declaration");
      }
    } catch (Panic) {
      recover();
    }
  }
}

// `end if`, `else` and the like without a block. After an error in the same section they are its consequence.
void Grammar::refuse_stray(int errors_before) {
  const Token first = in_.take();
  const bool end = first.kind == TokenKind::End;
  const Token last = end ? in_.take() : first;
  if (in_.errors() > errors_before) throw Panic{};
  const std::string words = end ? fmt::format("end {}", in_.text(last)) : std::string(in_.text(first));
  in_.fail(Code::WrongEnd, in_.since(first), fmt::format("'{}' belongs to nothing that is open here", words));
}

void Grammar::class_annotation(ast::LongClass& body) {
  std::vector<ast::Modifier> more = annotation_clause();
  std::move(more.begin(), more.end(), std::back_inserter(body.annotation));
}

// external [ STRING ] [ [ component-reference "=" ] IDENT "(" [ expression-list ] ")" ] [ annotation-clause ]
ast::External Grammar::external() {
  const Token first = in_.take();
  ast::External result;
  if (in_.at(TokenKind::String)) result.language = string_of(in_.take());
  if (in_.at(TokenKind::Identifier, TokenKind::LeftParen)) {
    result.function = identifier("the name of a function");
  } else if (in_.at_any(TokenKind::Identifier, TokenKind::Dot)) {
    result.result = component_reference();
    in_.expect(TokenKind::Equals);
    result.function = identifier("the name of a function");
  }
  if (!result.function.empty()) {
    const Token opening = in_.expect(TokenKind::LeftParen);
    if (!in_.at(TokenKind::RightParen)) result.arguments = expression_list();
    in_.close(TokenKind::RightParen, opening, "',' or ')'");
  }
  result.annotation = annotation_clause();
  result.range = in_.since(first);
  return result;
}

}  // namespace driftless
