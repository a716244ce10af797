#include <fmt/format.h>

#include "driftless/language/grammar.hpp"

namespace driftless {

namespace {

constexpr std::string_view equation_missing = "an equation belongs behind the keyword 'equation': is it missing?";

// Why a declaration cannot continue with this word.
std::string_view misplaced(TokenKind kind) {
  switch (kind) {
    case TokenKind::Redeclare:
    case TokenKind::Final:
    case TokenKind::Inner:
    case TokenKind::Outer:
    case TokenKind::Replaceable:
    case TokenKind::Flow:
    case TokenKind::Stream:
    case TokenKind::Discrete:
    case TokenKind::Parameter:
    case TokenKind::Constant:
    case TokenKind::Input:
    case TokenKind::Output:
      return "prefixes come in this order: redeclare, final, inner, outer, replaceable; flow or stream; discrete, "
             "parameter or constant; input or output";
    case TokenKind::Der:
    case TokenKind::If:
    case TokenKind::For:
    case TokenKind::When:
    case TokenKind::While:
    case TokenKind::Connect:
    case TokenKind::LeftParen: return equation_missing;
    default: return {};
  }
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- elements

// element: import-clause | extends-clause | [ redeclare ] [ final ] [ inner ] [ outer ] ( class-definition
//   | component-clause | replaceable ( class-definition | component-clause ) [ constraining-clause comment ] )
ast::Element Grammar::element(bool is_protected) {
  const Token first = in_.current();
  ast::Element result;
  result.is_protected = is_protected;
  if (in_.at(TokenKind::Import)) {
    result.node = import_clause();
  } else if (in_.at(TokenKind::Extends)) {
    result.node = extends_clause();
  } else {
    result.redeclare = in_.accept(TokenKind::Redeclare);
    result.is_final = in_.accept(TokenKind::Final);
    result.inner = in_.accept(TokenKind::Inner);
    result.outer = in_.accept(TokenKind::Outer);
    result.replaceable = in_.accept(TokenKind::Replaceable);
    if (at_class_prefix()) {
      result.node = std::make_unique<ast::ClassDefinition>(class_definition(in_.current().begin));
    } else {
      result.node = component_clause();
    }
    if (result.replaceable && in_.at(TokenKind::ConstrainedBy)) result.constraint = constraining_clause();
  }
  result.range = in_.since(first);
  return result;
}

// import-clause: import ( IDENT "=" name | name [ ".*" | ".{" IDENT { "," IDENT } "}" ] ) comment
ast::Import Grammar::import_clause() {
  in_.take();
  ast::Import result;
  if (in_.at(TokenKind::Identifier, TokenKind::Equals)) {
    result.alias = identifier("a name");
    in_.take();
  }
  result.name = name();
  if (result.alias.empty() && in_.accept(TokenKind::DotStar)) {
    result.all = true;
  } else if (result.alias.empty() && in_.accept(TokenKind::Dot)) {
    const Token opening = in_.take();
    do {
      result.names.push_back(identifier("a name"));
    } while (in_.accept(TokenKind::Comma));
    in_.close(TokenKind::RightBrace, opening, "',' or '}'");
  }
  result.comment = comment();
  return result;
}

// extends-clause: extends type-specifier [ class-or-inheritance-modification ] [ annotation-clause ]
ast::Extends Grammar::extends_clause() {
  in_.take();
  ast::Extends result;
  result.base = name();
  if (in_.at(TokenKind::LeftParen)) result.modifiers = class_modification(/*may_remove=*/true);
  result.annotation = annotation_clause();
  return result;
}

// constraining-clause: constrainedby type-specifier [ class-modification ]; here with its comment
ast::Constraint Grammar::constraining_clause() {
  const Token first = in_.take();
  ast::Constraint result;
  result.type = name();
  if (in_.at(TokenKind::LeftParen)) result.modifiers = class_modification();
  result.range = in_.since(first);
  result.comment = comment();
  return result;
}

// -------------------------------------------------------------------------------------------------- components

// component-clause: type-prefix type-specifier [ array-subscripts ] component-list
ast::ComponentClause Grammar::component_clause() {
  ast::ComponentClause clause = typed_clause();
  do {
    clause.components.push_back(component_declaration());
  } while (in_.accept(TokenKind::Comma));
  return clause;
}

// type-prefix type-specifier [ array-subscripts ], which both kinds of component clauses begin with
ast::ComponentClause Grammar::typed_clause() {
  ast::ComponentClause clause;
  type_prefix(clause);
  if (!in_.at_any(TokenKind::Identifier, TokenKind::Dot))
    in_.unexpected("a declaration", misplaced(in_.current().kind));
  const Token first = in_.current();
  clause.type = name();
  if (in_.at(TokenKind::LeftBracket)) clause.subscripts = array_subscripts();
  if (in_.at_any(TokenKind::Equals, TokenKind::Assign, TokenKind::LeftParen)) {
    in_.unexpected("the name of a component", equation_missing);
  }
  if (in_.at(TokenKind::Identifier, TokenKind::Identifier)) {
    if (const auto keyword = capitalised_keyword(in_.text(first)); !keyword.empty()) {
      in_.fail(Code::KeywordInCapitals, in_.range(first),
               fmt::format("keywords are written in small letters: {}", keyword));
    }
  }
  return clause;
}

// type-prefix: [ flow | stream ] [ discrete | parameter | constant ] [ input | output ]
void Grammar::type_prefix(ast::ComponentClause& clause) {
  if (in_.accept(TokenKind::Flow)) {
    clause.connection = ast::Connection::Flow;
  } else if (in_.accept(TokenKind::Stream)) {
    clause.connection = ast::Connection::Stream;
  }
  if (in_.accept(TokenKind::Discrete)) {
    clause.variability = ast::Variability::Discrete;
  } else if (in_.accept(TokenKind::Parameter)) {
    clause.variability = ast::Variability::Parameter;
  } else if (in_.accept(TokenKind::Constant)) {
    clause.variability = ast::Variability::Constant;
  }
  if (in_.accept(TokenKind::Input)) {
    clause.causality = ast::Causality::Input;
  } else if (in_.accept(TokenKind::Output)) {
    clause.causality = ast::Causality::Output;
  }
}

// component-declaration: declaration [ if expression ] comment
ast::Component Grammar::component_declaration() {
  ast::Component component = declaration();
  if (in_.accept(TokenKind::If)) {
    component.condition = std::make_unique<ast::Expression>(expression());
    component.range = in_.since(component.range.begin);
  }
  component.comment = comment();
  return component;
}

// declaration: IDENT [ array-subscripts ] [ modification ]
ast::Component Grammar::declaration() {
  ast::Component component;
  component.name = identifier("the name of a component");
  if (in_.at(TokenKind::LeftBracket)) component.subscripts = array_subscripts();
  component.modification = modification();
  component.range = in_.since(component.name.range.begin);
  return component;
}

// ----------------------------------------------------------------------------------------------- modifications

// modification: class-modification [ "=" modification-expression ] | "=" modification-expression
//   | ":=" modification-expression; modification-expression: expression | break. Absent: an empty Modification.
ast::Modification Grammar::modification() {
  ast::Modification result;
  const std::uint32_t begin = in_.current().begin;
  if (in_.at(TokenKind::LeftParen)) result.modifiers = class_modification();
  if (in_.accept(TokenKind::Equals) || in_.accept(TokenKind::Assign)) {
    result.removes_value = in_.accept(TokenKind::Break);
    if (!result.removes_value) result.value = std::make_unique<ast::Expression>(expression());
  } else if (in_.at(TokenKind::EqualEqual)) {
    in_.fail(Code::WrongEqualsSign, in_.range(in_.current()), "a value is given with '=', not with '=='");
  }
  if (in_.previous().end > begin) result.range = in_.since(begin);
  return result;
}

// class-modification: "(" [ argument { "," argument } ] ")"
std::vector<ast::Modifier> Grammar::class_modification(bool may_remove) {
  const Nesting nesting(*this);
  const Token opening = in_.take();
  std::vector<ast::Modifier> modifiers;
  if (!in_.at(TokenKind::RightParen)) {
    do {
      modifiers.push_back(argument(may_remove));
    } while (in_.accept(TokenKind::Comma));
  }
  in_.close(TokenKind::RightParen, opening, "',' or ')'");
  return modifiers;
}

// argument: [ each ] [ final ] ( element-modification | element-replaceable ) | element-redeclaration;
// in extends-clauses also an inheritance-modification
ast::Modifier Grammar::argument(bool may_remove) {
  const Token first = in_.current();
  ast::Modifier result;
  if (may_remove && in_.at(TokenKind::Break)) {
    result.node = removal();
  } else {
    const bool redeclare = in_.accept(TokenKind::Redeclare);
    result.each = in_.accept(TokenKind::Each);
    result.is_final = in_.accept(TokenKind::Final);
    if (redeclare || in_.at(TokenKind::Replaceable)) {
      result.node = element_redeclaration(redeclare);
    } else {
      result.node = element_modification();
    }
  }
  result.range = in_.since(first);
  return result;
}

// element-modification: name [ modification ] string-comment
ast::ElementModification Grammar::element_modification() {
  ast::ElementModification result;
  if (!in_.at(TokenKind::Identifier)) {
    const bool keyword = is_keyword(in_.current().kind);
    in_.unexpected("a modification such as start = 1", keyword ? "a keyword is no name" : "");
  }
  result.name = name();
  result.modification = modification();
  result.comment = string_comment();
  return result;
}

// ( short-class-definition | component-clause1 | replaceable ( ... ) [ constraining-clause ] ), after its prefixes;
// component-clause1: type-prefix type-specifier IDENT [ array-subscripts ] [ modification ] comment
ast::Redeclaration Grammar::element_redeclaration(bool redeclare) {
  const Token first = in_.current();
  auto element = std::make_unique<ast::Element>();
  element->redeclare = redeclare;
  element->replaceable = in_.accept(TokenKind::Replaceable);
  if (at_class_prefix()) {
    auto definition = std::make_unique<ast::ClassDefinition>(class_definition(in_.current().begin));
    if (std::holds_alternative<ast::LongClass>(definition->node)) {
      in_.fail(Code::WrongPlace, definition->name.range,
               "only a class of the form A = B can be declared in a modification");
    }
    element->node = std::move(definition);
  } else {
    ast::ComponentClause clause = typed_clause();
    clause.components.push_back(declaration());
    clause.components.back().comment = comment();
    element->node = std::move(clause);
  }
  if (element->replaceable && in_.at(TokenKind::ConstrainedBy)) element->constraint = constraining_clause();
  element->range = in_.since(first);
  return {std::move(element)};
}

// inheritance-modification: break ( connect-equation | IDENT )
ast::Removal Grammar::removal() {
  in_.take();
  ast::Removal result;
  if (in_.at(TokenKind::Connect)) {
    result.connection = connect_clause();
  } else {
    result.component = identifier("a component or a connect");
  }
  return result;
}

// ---------------------------------------------------------------------------------------------------- comments

// string-comment: [ STRING { "+" STRING } ]
std::string Grammar::string_comment() {
  std::string text;
  if (!in_.at(TokenKind::String)) return text;
  do {
    if (!in_.at(TokenKind::String)) in_.unexpected("a string");
    text += string_of(in_.take());
  } while (in_.accept(TokenKind::Plus));
  return text;
}

// annotation-clause: annotation class-modification. Absent: empty.
std::vector<ast::Modifier> Grammar::annotation_clause() {
  if (!in_.accept(TokenKind::Annotation)) return {};
  if (!in_.at(TokenKind::LeftParen)) in_.unexpected("'(' after 'annotation'");
  return class_modification();
}

// comment: string-comment [ annotation-clause ]
ast::Comment Grammar::comment() {
  const std::uint32_t begin = in_.current().begin;
  ast::Comment result;
  result.text = string_comment();
  result.annotation = annotation_clause();
  if (in_.previous().end > begin) result.range = in_.since(begin);
  return result;
}

}  // namespace driftless
