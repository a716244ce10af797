#include "driftless/language/ast.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace driftless::ast {

namespace {

// The precedence of expressions, lowest first: the productions of the grammar.
enum class Level { If, Range, Or, And, Not, Relation, Sum, Product, Power, Primary };

constexpr Level next(Level level) { return static_cast<Level>(static_cast<int>(level) + 1); }

Level level_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Or: return Level::Or;
    case BinaryOperator::And: return Level::And;
    case BinaryOperator::Less:
    case BinaryOperator::LessEqual:
    case BinaryOperator::Greater:
    case BinaryOperator::GreaterEqual:
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual: return Level::Relation;
    case BinaryOperator::Add:
    case BinaryOperator::Subtract:
    case BinaryOperator::ElementwiseAdd:
    case BinaryOperator::ElementwiseSubtract: return Level::Sum;
    case BinaryOperator::Multiply:
    case BinaryOperator::Divide:
    case BinaryOperator::ElementwiseMultiply:
    case BinaryOperator::ElementwiseDivide: return Level::Product;
    case BinaryOperator::Power:
    case BinaryOperator::ElementwisePower: return Level::Power;
  }
  return Level::Primary;
}

Level level_of(const Expression& expression) {
  if (const auto* binary = expression.as<Binary>()) return level_of(binary->rest.front().op);
  if (const auto* unary = expression.as<Unary>()) return unary->op == UnaryOperator::Not ? Level::Not : Level::Sum;
  if (expression.as<IfExpression>()) return Level::If;
  if (expression.as<Range>()) return Level::Range;
  return Level::Primary;
}

class Printer {
 public:
  std::string take() { return std::move(out_); }

  // In parentheses if its precedence is lower than its place requires.
  void print(const Expression& expression, Level place) {
    const bool parentheses = level_of(expression) < place;
    if (parentheses) out_ += '(';
    std::visit([this](const auto& node) { print_node(node); }, expression.node);
    if (parentheses) out_ += ')';
  }

  void print_node(const Reference& reference) {
    if (reference.global) out_ += '.';
    for (std::size_t k = 0; k < reference.parts.size(); ++k) {
      if (k > 0) out_ += '.';
      out_ += reference.parts[k].name.text;
      print_subscripts(reference.parts[k].subscripts);
    }
  }

 private:
  // Prints `items` separated by commas, each with `print_item`.
  template <class Items, class PrintItem>
  void print_list(const Items& items, PrintItem print_item) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      print_item(item);
    }
  }

  void print_subscripts(const std::vector<Subscript>& subscripts) {
    if (subscripts.empty()) return;
    out_ += '[';
    print_list(subscripts, [this](const Subscript& subscript) {
      if (subscript) {
        print(*subscript, Level::If);
      } else {
        out_ += ':';
      }
    });
    out_ += ']';
  }

  void print_iterators(const std::vector<Iterator>& iterators) {
    if (iterators.empty()) return;
    out_ += " for ";
    print_list(iterators, [this](const Iterator& iterator) {
      out_ += iterator.name.text;
      if (!iterator.range) return;
      out_ += " in ";
      print(*iterator.range, Level::If);
    });
  }

  void print_arguments(const std::vector<CallArgument>& arguments) {
    print_list(arguments, [this](const CallArgument& argument) {
      if (!argument.name.empty()) out_ += argument.name.text + " = ";
      print(argument.value, Level::If);
    });
  }

  void print_expressions(const std::vector<Expression>& expressions) {
    print_list(expressions, [this](const Expression& expression) { print(expression, Level::If); });
  }

  void print_node(const Number& number) {
    std::string text = fmt::format("{}", number.value);
    if (number.is_integer) {
      text = fmt::format("{:.0f}", number.value);
    } else if (text.find_first_of(".e") == std::string::npos) {
      text += ".0";
    }
    out_ += text;
  }

  void print_node(const String& string) {
    constexpr std::string_view special = "\"\\\a\b\f\n\r\t\v";
    constexpr std::string_view letters = "\"\\abfnrtv";
    out_ += '"';
    for (const char c : string.value) {
      const std::size_t which = special.find(c);
      if (which != std::string_view::npos) out_ += '\\';
      out_ += which != std::string_view::npos ? letters[which] : c;
    }
    out_ += '"';
  }

  void print_node(const Boolean& boolean) { out_ += boolean.value ? "true" : "false"; }

  void print_node(const End&) { out_ += "end"; }

  void print_node(const Unary& unary) {
    out_ += to_string(unary.op);
    if (unary.op == UnaryOperator::Not) out_ += ' ';
    print(*unary.operand, unary.op == UnaryOperator::Not ? Level::Relation : Level::Product);
  }

  void print_node(const Binary& binary) {
    const Level level = level_of(binary.rest.front().op);
    // A sign stands only at the beginning of a sum; every other operand binds tighter than its operator.
    const auto* sign = binary.first->as<Unary>();
    print(*binary.first, level == Level::Sum && sign && sign->op != UnaryOperator::Not ? level : next(level));
    for (const Operand& operand : binary.rest) {
      // Spaces around .^ as well: 1.^x would read as 1. ^ x.
      const bool tight = operand.op == BinaryOperator::Power;
      out_ += tight ? "^" : fmt::format(" {} ", to_string(operand.op));
      print(operand.value, next(level));
    }
  }

  void print_node(const IfExpression& choice) {
    std::string_view keyword = "if ";
    for (const auto& [condition, value] : choice.branches) {
      out_ += keyword;
      print(*condition, Level::If);
      out_ += " then ";
      print(*value, Level::If);
      keyword = " elseif ";
    }
    out_ += " else ";
    // A bare if here would be read as one more elseif.
    print(*choice.otherwise, next(Level::If));
  }

  void print_node(const Range& range) {
    print(*range.first, next(Level::Range));
    if (range.step) {
      out_ += ':';
      print(*range.step, next(Level::Range));
    }
    out_ += ':';
    print(*range.last, next(Level::Range));
  }

  void print_node(const Call& call) {
    print_node(call.function);
    out_ += '(';
    print_arguments(call.arguments);
    print_iterators(call.iterators);
    out_ += ')';
  }

  void print_node(const PartialApplication& application) {
    out_ += "function ";
    print_node(application.function);
    out_ += '(';
    print_arguments(application.arguments);
    out_ += ')';
  }

  void print_node(const ArrayConstructor& array) {
    out_ += '{';
    print_expressions(array.elements);
    print_iterators(array.iterators);
    out_ += '}';
  }

  void print_node(const MatrixConstructor& matrix) {
    out_ += '[';
    for (std::size_t k = 0; k < matrix.rows.size(); ++k) {
      if (k > 0) out_ += "; ";
      print_expressions(matrix.rows[k]);
    }
    out_ += ']';
  }

  void print_node(const Tuple& tuple) {
    out_ += '(';
    print_list(tuple.elements, [this](const ExpressionPtr& element) {
      if (element) print(*element, Level::If);
    });
    out_ += ')';
  }

  void print_node(const Selection& selection) {
    out_ += '(';
    print(*selection.base, Level::If);
    out_ += ')';
    print_subscripts(selection.subscripts);
    if (!selection.member.empty()) out_ += '.' + selection.member.text;
  }

  std::string out_;
};

}  // namespace

std::string unquoted(const Identifier& identifier) {
  if (!identifier.quoted()) return identifier.text;
  std::string name;
  for (std::size_t k = 1; k + 1 < identifier.text.size(); ++k) {
    const bool escape = identifier.text[k] == '\\' && k + 2 < identifier.text.size();
    name += identifier.text[escape ? ++k : k];
  }
  return name;
}

std::string to_string(const Name& name) {
  std::string text = name.global ? "." : "";
  for (std::size_t k = 0; k < name.parts.size(); ++k) {
    if (k > 0) text += '.';
    text += name.parts[k].text;
  }
  return text;
}

std::string Reference::dotted() const {
  std::string text = global ? "." : "";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k > 0) text += '.';
    text += parts[k].name.text;
  }
  return text;
}

std::string to_string(const Expression& expression) {
  Printer printer;
  printer.print(expression, Level::If);
  return printer.take();
}

std::string to_string(const Reference& reference) {
  Printer printer;
  printer.print_node(reference);
  return printer.take();
}

std::string to_string(BinaryOperator op) {
  constexpr std::array<std::string_view, 18> text = {"or", "and", "<",  "<=", ">", ">=", "==", "<>", "+",
                                                     "-",  ".+",  ".-", "*",  "/", ".*", "./", "^",  ".^"};
  return std::string(text.at(static_cast<std::size_t>(op)));
}

std::string to_string(UnaryOperator op) {
  constexpr std::array<std::string_view, 5> text = {"-", "+", ".-", ".+", "not"};
  return std::string(text.at(static_cast<std::size_t>(op)));
}

std::string to_string(ClassKind kind) {
  constexpr std::array<std::string_view, 12> text = {
      "class", "model",   "record",   "block",    "connector",       "expandable connector",
      "type",  "package", "function", "operator", "operator record", "operator function"};
  return std::string(text.at(static_cast<std::size_t>(kind)));
}

}  // namespace driftless::ast
