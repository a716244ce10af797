#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry syntax_entries[] = {
    {.code = Code::UnexpectedText,
     .title = "something else was expected here",
     .reason = "The text breaks a rule of the grammar: at the marked place a name, an operator or a keyword stands "
               "where another was needed. Often a '*' between factors is missing, or a keyword is used as a name.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -2x;
end M;)",
     .message = "example.mo:4:14: error D0101: expected ';' after this equation, found 'x'",
     .cure = "Write at the marked place what the message expects. The cause may stand a little before it.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -2*x;
end M;)"},
    {.code = Code::MissingSemicolon,
     .title = "a semicolon is missing",
     .reason = "Every declaration, equation and statement ends with ';'. Without it the next line would be read as a "
               "part of this one.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x
end M;)",
     .message = "example.mo:4:14: error D0102: missing ';' after this equation",
     .cure = "Write ';' at the marked place.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::NoClosingMark,
     .title = "a string, comment or quoted name is not closed",
     .reason = "A string ends with '\"', a comment that begins with '/*' ends with '*/', a quoted name ends with a "
               "quotation mark on its line. Without its end the rest of the text would be a part of it.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true) "the position;
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:35: error D0103: this string has no closing '\"'",
     .cure = "Close it where it should end. The message marks where it begins.",
     .right = R"(model M
  Real x(start = 1, fixed = true) "the position";
equation
  der(x) = -x;
end M;)"},
    {.code = Code::StrayCharacter,
     .title = "a character that has no meaning",
     .reason = "The character is no part of the language. Typical are characters that a word processor puts in place "
               "of others (a long dash for the minus sign, curly quotation marks), and files that are no text.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = –x;
end M;)",
     .message = "example.mo:4:12: error D0104: unexpected character '–'",
     .cure = "Remove it, or type the character of the keyboard in its place.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::PrimeForDerivative,
     .title = "x' for a derivative",
     .reason = "A prime begins a quoted name in Modelica. Derivatives by time are written der(x), the second one "
               "der(der(x)).",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  x' = -x;
end M;)",
     .message = "example.mo:4:4: error D0105: x' is not Modelica: the derivative of x is written der(x)",
     .cure = "Write der(x).",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::WrongEqualsSign,
     .title = "'=', ':=' and '==' mixed up",
     .reason = "An equation and the value of a declaration are written with '=', an assignment in an algorithm with "
               "':=', a comparison in a condition with '=='.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) := -x;
end M;)",
     .message = "example.mo:4:10: error D0106: an equation is written with '=', not with ':='",
     .cure = "Write the sign that belongs to this place.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::WrongEnd,
     .title = "an 'end' is missing or ends something else",
     .reason = "A class ends with 'end' and its name, an 'if', 'for', 'when' or 'while' with 'end' and this word. The "
               "name differs from that of the class, the end is missing, or there is one too many.",
     .wrong = R"(model Pendulum
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Pendel;)",
     .message = "example.mo:5:5: error D0107: expected 'end Pendulum', found 'end Pendel'",
     .cure = "Compare the names; look for the block that the message says is open.",
     .right = R"(model Pendulum
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Pendulum;)"},
    {.code = Code::WrongPlace,
     .title = "this does not belong here",
     .reason = "Declarations stand before the equations, 'while' and assignments in algorithms, 'connect' in "
               "equations, 'break' in a loop, 'within' at the beginning of the text.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  parameter Real k = 2;
end M;)",
     .message = "example.mo:5:3: error D0108: a declaration belongs before 'equation'",
     .cure = "Move it to the section that it belongs to.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  parameter Real k = 2;
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::ChainedOperators,
     .title = "relations or powers in a chain",
     .reason = "a < b < c and a^b^c can be read in two ways, and the grammar of Modelica has neither of them.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if 0 < x < 2 then -x else 0;
end M;)",
     .message = "example.mo:4:21: error D0109: relations do not chain",
     .cure = "Write two relations with 'and'; put parentheses around the power that is meant first.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if 0 < x and x < 2 then -x else 0;
end M;)"},
    {.code = Code::NotATarget,
     .title = "only a variable can be assigned to",
     .reason = "On the left of ':=' stands a variable, an element of an array, or several variables in parentheses for "
               "the results of one function. An expression there could not take a value.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    2*y := u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)",
     .message = "example.mo:6:5: error D0110: only a variable, or several as in (a, b), can be assigned to",
     .cure = "Solve the statement for the variable, or move the relation to an equation section.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u/2;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)"},
};

}  // namespace

Entries entries_of_syntax() { return syntax_entries; }

}  // namespace driftless::diagnostics
