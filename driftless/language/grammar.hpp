// Recursive descent over the concrete syntax of Modelica 3.6 (Appendix A.2): one function per production, with its
// grammar rule above the definition. Internal to the parser; the public call is parse() in parser.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/language/ast.hpp"
#include "driftless/language/token_stream.hpp"

namespace driftless {

class Grammar {
 public:
  Grammar(FileId file, const Sources& sources, Diagnostics& diagnostics);

  void stored_definition(ast::StoredDefinition& result);  // throws Abandon

 private:
  // A.2.1, A.2.2: stored definition, classes (grammar_classes.cpp)
  ast::ClassDefinition class_definition(std::uint32_t begin);
  void class_prefixes(ast::ClassDefinition& definition);
  void class_specifier(ast::ClassDefinition& definition, std::uint32_t begin);
  void long_class_specifier(ast::ClassDefinition& definition, ast::LongClass body, std::uint32_t begin);
  ast::ShortClass short_class();
  ast::Enumeration enumeration();
  ast::DerivativeClass derivative_class();
  void composition(ast::LongClass& body);
  void end_of_class(const ast::ClassDefinition& definition);
  void class_annotation(ast::LongClass& body);
  ast::External external();
  bool at_class_prefix() const;
  [[noreturn]] void refuse_top_level();
  [[noreturn]] void refuse_stray(int errors_before);
  void skip_to_class();

  // A.2.2 to A.2.4: elements, components (grammar_elements.cpp)
  ast::Element element(bool is_protected);
  ast::Import import_clause();
  ast::Extends extends_clause();
  ast::Constraint constraining_clause();
  ast::ComponentClause component_clause();
  ast::ComponentClause typed_clause();
  void type_prefix(ast::ComponentClause& clause);
  ast::Component declaration();
  ast::Component component_declaration();

  // A.2.5: modifications, comments (grammar_elements.cpp)
  ast::Modification modification();
  std::vector<ast::Modifier> class_modification(bool may_remove = false);
  ast::Modifier argument(bool may_remove);
  ast::ElementModification element_modification();
  ast::Redeclaration element_redeclaration(bool redeclare);
  ast::Removal removal();
  std::string string_comment();
  std::vector<ast::Modifier> annotation_clause();
  ast::Comment comment();

  // A.2.6: equations and statements (grammar_equations.cpp)
  ast::EquationSection equation_section();
  ast::AlgorithmSection algorithm_section();
  std::vector<ast::Equation> equation_list();
  std::vector<ast::Statement> statement_list();
  ast::Equation equation();
  void simple_equation(ast::Equation& equation);
  ast::Statement statement();
  void simple_statement(ast::Statement& statement);
  void assignment(ast::Statement& statement, ast::Expression target);
  ast::WhileStatement while_statement();
  std::pair<ast::Reference, ast::Reference> connect_clause();
  ast::Expression condition(TokenKind keyword);
  std::vector<ast::Iterator> loop_header();
  bool at_end_of_body() const;
  std::string_view likely_cause(const ast::Expression& left) const;
  void refuse_declaration(std::string_view section);
  template <class Item>
  std::vector<Item> list_of(Item (Grammar::*item)(), std::string_view what);
  template <class Block, class List>
  Block if_block(List list);
  template <class Block, class List>
  Block when_block(List list);
  template <class Block, class List>
  Block for_block(List list);

  // A.2.7: expressions of operators (grammar_operators.cpp)
  ast::Expression expression();
  ast::Expression if_expression();
  ast::Expression simple_expression();
  ast::Expression logical_expression();
  ast::Expression logical_term();
  ast::Expression logical_factor();
  ast::Expression relation();
  ast::Expression arithmetic_expression();
  ast::Expression term();
  ast::Expression factor();
  ast::Expression exponent();

  // A.2.7: what they combine (grammar_expressions.cpp)
  ast::Expression primary();
  ast::Expression number();
  ast::Expression string();
  std::string string_of(const Token& token);
  ast::Expression parenthesised();
  ast::Expression array_constructor();
  ast::Expression matrix_constructor();
  ast::Expression reference_or_call();
  ast::Expression call_of(ast::Reference function);
  std::vector<ast::CallArgument> function_arguments(std::vector<ast::Iterator>& iterators);
  ast::CallArgument function_argument();
  ast::Expression partial_application();
  std::vector<ast::Iterator> for_indices();
  std::vector<ast::Expression> expression_list();
  ast::Name name();
  ast::Reference component_reference();
  std::vector<ast::Subscript> array_subscripts();
  ast::Identifier identifier(std::string_view what);

  using OperatorOf = std::optional<ast::BinaryOperator> (*)(TokenKind);
  ast::Expression left_associative(ast::Expression first, ast::Expression (Grammar::*operand)(),
                                   OperatorOf operator_of);
  ast::Expression binary(ast::Expression left, ast::BinaryOperator op, ast::Expression right) const;
  ast::Expression make(ast::Expression::Node node, std::uint32_t begin) const;  // ends at the last token taken

  // Counts one level of brackets, blocks or classes. All nesting passes through here, so the stack is bounded.
  class Nesting {
   public:
    explicit Nesting(Grammar& grammar);
    ~Nesting() { --grammar_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Grammar& grammar_;
  };

  // A construct that waits for its `end`: if, for, while, when, or a class (then with a name).
  struct Open {
    TokenKind kind;
    SourceRange range;
    std::string name;
    SourceRange else_if;  // `else if` in this block: often `elseif` was meant
  };
  class OpenScope {
   public:
    OpenScope(Grammar& grammar, Open open) : grammar_(grammar) { grammar_.open_.push_back(std::move(open)); }
    ~OpenScope() { grammar_.open_.pop_back(); }
    OpenScope(const OpenScope&) = delete;
    OpenScope& operator=(const OpenScope&) = delete;

   private:
    Grammar& grammar_;
  };
  // x[i, j]: i alone is a subscript of x, and so is j. Where `for i loop` has no range, it is that of such a dimension.
  struct IndexUse {
    std::string iterator;
    bool global;
    std::vector<ast::Identifier> array;
    int dimension;
  };
  void note_index_uses(const ast::Reference& reference);
  // Gives the iterators that have no range that of their first use since the given one (Modelica 3.6,
  // Section 11.2.2.1).
  void infer_ranges(std::vector<ast::Iterator>& iterators, std::size_t since) const;

  void end_of_block();
  void recover();  // after a Panic, in every list

  TokenStream in_;
  std::vector<Open> open_;
  std::vector<IndexUse> index_uses_;
  int depth_ = 0;
  int subscript_depth_ = 0;  // > 0: `end` is an expression
  int open_matrices_ = 0;    // > 0: a ';' separates rows
  bool after_missing_semicolon_ = false;
};

}  // namespace driftless
