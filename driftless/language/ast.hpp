// The syntax tree of Modelica 3.6 (Appendix A of the specification) and of Base Modelica 0.1.
//
// The tree represents the text without its meaning: names are not looked up, and only the grammar is checked. Every
// node knows its range of source text. A tree owns its children and is movable, not copyable.
//
// Invariant: trees are shallow, so recursion over them is safe. Operators that associate to the left, `elseif` and
// lists of all kinds are flat, however long; brackets, blocks and classes nested deeper than max_depth are an error
// of the parser. (Between two brackets lie at most eight levels of operators: or, and, not, <, -, *, ^, call.)
// A parenthesised expression is the expression itself, with the parentheses inside its range.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/language/ast_expressions.hpp"

namespace driftless::ast {

inline constexpr int max_depth = 256;

// -------------------------------------------------------------------------------- modifications and comments

struct Modifier;
struct Element;

// (a(start = 1), redeclare ...) = value
struct Modification {
  std::vector<Modifier> modifiers;
  ExpressionPtr value;         // null when there is none
  bool removes_value = false;  // `= break`: the binding that was inherited is removed
  SourceRange range;

  bool empty() const { return modifiers.empty() && !value && !removes_value; }
};

// "description" annotation(...)
struct Comment {
  std::string text;
  std::vector<Modifier> annotation;
  SourceRange range;
};

struct ElementModification {
  Name name;
  Modification modification;
  std::string comment;
};

// redeclare ..., or replaceable ... inside a modification: exactly one class, or one component.
struct Redeclaration {
  std::unique_ptr<Element> element;
};

// extends A(break c): the component c, or the connection, is not inherited.
struct Removal {
  Identifier component;  // empty when a connection is removed
  std::optional<std::pair<Reference, Reference>> connection;
};

struct Modifier {
  bool each = false;
  bool is_final = false;
  std::variant<ElementModification, Redeclaration, Removal> node;
  SourceRange range;
};

// ------------------------------------------------------------------------------------------------- equations

struct Equation;

struct Equality {
  Expression left;  // a Tuple in (a, b) = f(x)
  Expression right;
};

struct IfEquation {
  struct Branch {
    Expression condition;
    std::vector<Equation> body;
  };
  std::vector<Branch> branches;
  std::vector<Equation> otherwise;
};

struct ForEquation {
  std::vector<Iterator> iterators;
  std::vector<Equation> body;
};

struct WhenEquation {
  struct Branch {
    Expression condition;
    std::vector<Equation> body;
  };
  std::vector<Branch> branches;
};

struct Connect {
  Reference from;
  Reference to;
};

struct CallEquation {
  Expression call;  // a Call
};

struct Equation {
  std::variant<Equality, IfEquation, ForEquation, WhenEquation, Connect, CallEquation> node;
  Comment comment;
  SourceRange range;  // of the equation, without its comment and semicolon
};

// ------------------------------------------------------------------------------------------------ statements

struct Statement;

struct Assignment {
  Reference target;
  Expression value;
};

struct TupleAssignment {
  std::vector<std::optional<Reference>> targets;  // empty places are skipped outputs
  Expression call;                                // a Call
};

struct CallStatement {
  Expression call;  // a Call
};

struct IfStatement {
  struct Branch {
    Expression condition;
    std::vector<Statement> body;
  };
  std::vector<Branch> branches;
  std::vector<Statement> otherwise;
};

struct ForStatement {
  std::vector<Iterator> iterators;
  std::vector<Statement> body;
};

struct WhileStatement {
  Expression condition;
  std::vector<Statement> body;
};

struct WhenStatement {
  struct Branch {
    Expression condition;
    std::vector<Statement> body;
  };
  std::vector<Branch> branches;
};

struct Break {};
struct Return {};

struct Statement {
  std::variant<Assignment, TupleAssignment, CallStatement, IfStatement, ForStatement, WhileStatement, WhenStatement,
               Break, Return>
      node;
  Comment comment;
  SourceRange range;  // of the statement, without its comment and semicolon
};

// --------------------------------------------------------------------------------------- components, classes

enum class Connection { Potential, Flow, Stream };
enum class Variability { Unspecified, Discrete, Parameter, Constant };
enum class Causality { Unspecified, Input, Output };

struct Component {
  Identifier name;
  std::vector<Subscript> subscripts;
  Modification modification;
  ExpressionPtr condition;  // null unless `if condition`
  Comment comment;
  SourceRange range;  // from the name to before the comment
};

// parameter Real[3] a = ..., b;
struct ComponentClause {
  Connection connection = Connection::Potential;
  Variability variability = Variability::Unspecified;
  Causality causality = Causality::Unspecified;
  Name type;
  std::vector<Subscript> subscripts;  // those of the type: Real[3] x[2] has the sizes [2, 3]
  std::vector<Component> components;
};

struct Import {
  Name name;
  Identifier alias;               // import D = A.B.C;
  bool all = false;               // import A.B.*;
  std::vector<Identifier> names;  // import A.B.{C, D};
  Comment comment;
};

struct Extends {
  Name base;
  std::vector<Modifier> modifiers;
  std::vector<Modifier> annotation;
};

// constrainedby A(...)
struct Constraint {
  Name type;
  std::vector<Modifier> modifiers;
  Comment comment;
  SourceRange range;
};

struct ClassDefinition;

struct Element {
  bool is_protected = false;
  bool redeclare = false;
  bool is_final = false;
  bool inner = false;
  bool outer = false;
  bool replaceable = false;
  std::variant<Import, Extends, std::unique_ptr<ClassDefinition>, ComponentClause> node;
  std::optional<Constraint> constraint;
  SourceRange range;
};

enum class EquationKind { Normal, Initial, Parameter };  // `parameter equation` is Base Modelica's

struct EquationSection {
  EquationKind kind = EquationKind::Normal;
  std::vector<Equation> equations;
  SourceRange range;
};

struct AlgorithmSection {
  bool initial = false;
  std::vector<Statement> statements;
  SourceRange range;
};

// external "C" y = f(a, b) annotation(...);
struct External {
  std::string language;
  std::optional<Reference> result;
  Identifier function;  // empty: the name of the class itself
  std::vector<Expression> arguments;
  std::vector<Modifier> annotation;
  SourceRange range;
};

enum class ClassKind {
  Class,
  Model,
  Record,
  Block,
  Connector,
  ExpandableConnector,
  Type,
  Package,
  Function,
  Operator,
  OperatorRecord,
  OperatorFunction,
};

std::string to_string(ClassKind kind);

enum class Purity { Unspecified, Pure, Impure };

// model A ... end A; also `model extends A(...) ... end A;`
struct LongClass {
  bool extends = false;
  std::vector<Modifier> modifiers;  // those of `extends`
  std::vector<Element> elements;    // in the order of the text, over all sections
  std::vector<EquationSection> equations;
  std::vector<AlgorithmSection> algorithms;
  std::optional<External> external;
  std::vector<Modifier> annotation;
};

// type A = input B[3](...)
struct ShortClass {
  Causality causality = Causality::Unspecified;
  Name base;
  std::vector<Subscript> subscripts;
  std::vector<Modifier> modifiers;
};

// type A = enumeration(a "..", b), or enumeration(:)
struct Enumeration {
  struct Literal {
    Identifier name;
    Comment comment;
  };
  bool open = false;  // enumeration(:)
  std::vector<Literal> literals;
};

// function f_x = der(f, x)
struct DerivativeClass {
  Name function;
  std::vector<Identifier> variables;
};

struct ClassDefinition {
  bool is_final = false;
  bool encapsulated = false;
  bool partial = false;
  Purity purity = Purity::Unspecified;
  ClassKind kind = ClassKind::Class;
  Identifier name;
  std::variant<LongClass, ShortClass, Enumeration, DerivativeClass> node;
  Comment comment;
  SourceRange range;
};

struct StoredDefinition {
  FileId file = no_file;
  std::string base_modelica;   // "0.1.0" after `//! base 0.1.0`, otherwise empty
  std::optional<Name> within;  // an empty name: `within;`
  std::vector<ClassDefinition> classes;
};

}  // namespace driftless::ast
