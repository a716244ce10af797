// Names and expressions of the syntax tree (ast.hpp).
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/diagnostics/source.hpp"

namespace driftless::ast {

// ---------------------------------------------------------------------------------------------------- names

// Spelled as in the text: a quoted identifier keeps its quotes, for 'x' and x are different names.
struct Identifier {
  std::string text;
  SourceRange range;

  bool empty() const { return text.empty(); }
  bool quoted() const { return !text.empty() && text.front() == '\''; }
};

// The name without its quotes: body.r[1] for 'body.r[1]'.
std::string unquoted(const Identifier& identifier);

struct Name {
  bool global = false;  // .A.B: looked up from the top
  std::vector<Identifier> parts;
  SourceRange range;

  bool empty() const { return parts.empty(); }
};

std::string to_string(const Name& name);

// ---------------------------------------------------------------------------------------------- expressions

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

// One subscript; null is the whole dimension `:`.
using Subscript = ExpressionPtr;

struct Number {
  double value = 0.0;
  bool is_integer = false;  // spelled without a point and an exponent, and within 64 bits
};

struct String {
  std::string value;  // escapes already replaced
};

struct Boolean {
  bool value = false;
};

struct End {};  // `end` in a subscript: the size of that dimension

struct ReferencePart {
  Identifier name;
  std::vector<Subscript> subscripts;
};

// a.b[2].c; also every name of a function, `der`, `initial` and `pure` included.
struct Reference {
  bool global = false;
  std::vector<ReferencePart> parts;
  SourceRange range;

  // "sin" for sin, "Modelica.Math.sin" for the long spelling: the parts joined by dots, without subscripts.
  std::string dotted() const;
  // One part without subscripts, as in `x`.
  bool is_simple() const { return !global && parts.size() == 1 && parts.front().subscripts.empty(); }
};

enum class UnaryOperator { Minus, Plus, ElementwiseMinus, ElementwisePlus, Not };

struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

enum class BinaryOperator {
  Or,
  And,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  Add,
  Subtract,
  ElementwiseAdd,
  ElementwiseSubtract,
  Multiply,
  Divide,
  ElementwiseMultiply,
  ElementwiseDivide,
  Power,
  ElementwisePower,
};

struct Operand;

// first op1 x1 op2 x2 ..., associating to the left: ((first op1 x1) op2 x2). All operators of one Binary have the
// same precedence; relations and powers do not associate, so they have exactly one operand in `rest`.
struct Binary {
  ExpressionPtr first;
  std::vector<Operand> rest;
};

// if c1 then v1 elseif c2 then v2 ... else otherwise. `else if` without parentheses is read as `elseif`.
struct IfExpression {
  struct Branch {
    ExpressionPtr condition;
    ExpressionPtr value;
  };
  std::vector<Branch> branches;
  ExpressionPtr otherwise;
};

// first : last, or first : step : last
struct Range {
  ExpressionPtr first;
  ExpressionPtr step;  // null when not written
  ExpressionPtr last;
};

// i in range; where none is written, the parser gives it 1:size(x, k) if i alone is the k-th subscript of some x, and
// null otherwise.
struct Iterator {
  Identifier name;
  ExpressionPtr range;
  bool inferred = false;  // by the parser
};

struct CallArgument;

// f(a, b, name = c), or the reduction f(e for i in 1:n, j in 1:m): then `arguments` holds only e.
struct Call {
  Reference function;
  std::vector<CallArgument> arguments;  // positional ones first
  std::vector<Iterator> iterators;
};

// function f(a = 1): an argument that is itself a function. Occurs only as an argument of a call.
struct PartialApplication {
  Reference function;
  std::vector<CallArgument> arguments;  // all named
};

// {a, b}, or {e for i in 1:n, j in 1:m}: then `elements` holds only e.
struct ArrayConstructor {
  std::vector<Expression> elements;
  std::vector<Iterator> iterators;
};

// [a, b; c, d]
struct MatrixConstructor {
  std::vector<std::vector<Expression>> rows;
};

// (a, , b) has three elements, the second null; () has none; (a) is not a tuple.
struct Tuple {
  std::vector<ExpressionPtr> elements;
};

// (e)[i, j] or (e).member
struct Selection {
  ExpressionPtr base;
  std::vector<Subscript> subscripts;
  Identifier member;  // empty when subscripted
};

struct Expression {
  using Node = std::variant<Number, String, Boolean, End, Reference, Unary, Binary, IfExpression, Range, Call,
                            PartialApplication, ArrayConstructor, MatrixConstructor, Tuple, Selection>;
  Node node;
  SourceRange range;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

struct Operand {
  BinaryOperator op;
  Expression value;
};

struct CallArgument {
  Identifier name;  // empty when positional
  Expression value;
};

// Modelica text that parses to the same tree: parentheses only where needed, one space around operators.
std::string to_string(const Expression& expression);
std::string to_string(const Reference& reference);
std::string to_string(BinaryOperator op);
std::string to_string(UnaryOperator op);

}  // namespace driftless::ast
