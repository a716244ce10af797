#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry text_entries[] = {
    {.code = Code::NumberTooLarge,
     .title = "a number is too large",
     .reason = "Numbers are stored with 64 bits: the largest is about 1.8e308.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/1e400;
end M;)",
     .message = "example.mo:4:15: error D0111: 1e400 is too large for a Real",
     .cure = "Choose other units.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/1e40;
end M;)"},
    {.code = Code::MissingKeyword,
     .title = "'then' or 'loop' is missing",
     .reason = "A condition is followed by 'then' (in a while loop by 'loop'), a range of a for loop by 'loop'.",
     .wrong = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3
    der(x[i]) = -x[i];
  end for;
end M;)",
     .message = "example.mo:4:15: error D0112: missing 'loop' after this range",
     .cure = "Write the word at the marked place.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    der(x[i]) = -x[i];
  end for;
end M;)"},
    {.code = Code::KeywordInCapitals,
     .title = "a keyword in capital letters",
     .reason = "Capital and small letters differ in Modelica, and keywords are written in small letters.",
     .wrong = R"(model M
  Parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)",
     .message = "example.mo:2:3: error D0113: keywords are written in small letters: parameter",
     .cure = "Write the keyword in small letters.",
     .right = R"(model M
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::NestedTooDeeply,
     .title = "nested too deeply",
     .reason = "Parentheses, blocks or calls of functions stand inside of each other hundreds of times. No text of "
               "people looks like this; it comes from a program that went wrong, or from a function that calls itself.",
     .wrong = R"($ driftless run tests/bad_models/nested_too_deeply.mo)",
     .message = "tests/bad_models/nested_too_deeply.mo:5:261: error D0114: this is nested more than 256 levels deep",
     .cure = "Split the expression by variables for its parts.",
     .right = R"($ driftless run tests/bad_models/decay.mo)"},
    {.code = Code::SignWithoutParentheses,
     .title = "a sign behind an operator",
     .reason = "A warning. Modelica asks for parentheses around a negative operand, as in a*(-b); other tools may "
               "refuse the text. It is read as it is meant.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 2*-x;
end M;)",
     .message =
         "example.mo:4:14: warning D0115: a sign behind an operator needs parentheses in Modelica: write a * (-b)",
     .cure = "Write the parentheses.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 2*(-x);
end M;)"},
    {.code = Code::EmptyStatement,
     .title = "nothing before a semicolon",
     .reason = "A warning: there is one semicolon too many, or an equation was deleted.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;;
end M;)",
     .message = "example.mo:4:15: warning D0116: there is nothing before this ';'",
     .cure = "Remove the semicolon.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::UnknownEscape,
     .title = "a backslash in a string",
     .reason = "A warning. In a string a backslash begins an escape: \\n is a line break, \\\" a quotation mark, \\\\ "
               "the backslash itself. This one has no meaning and is kept as it stands.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true) "from C:\data";
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:43: warning D0117: this is no escape of Modelica; a backslash itself is written \\\\",
     .cure = "Write the backslash twice.",
     .right = R"(model M
  Real x(start = 1, fixed = true) "from C:\\data";
equation
  der(x) = -x;
end M;)"},
    {.code = Code::NamedBeforeUnnamed,
     .title = "an argument without a name behind one with a name",
     .reason = "Arguments without names are counted from the left. Behind one with a name the count has no meaning.",
     .wrong = R"(model M
  function f
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a - b;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = f(b = x, 1);
end M;)",
     .message = "example.mo:11:21: error D0118: an argument without a name cannot follow one with a name",
     .cure = "Give the arguments without names first, or name all of them.",
     .right = R"(model M
  function f
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a - b;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = f(b = x, a = 1);
end M;)"},
    {.code = Code::NotSupported,
     .title = "not supported yet",
     .reason = "The text is Modelica, but this part of the language has no meaning here so far. docs/language.md lists "
               "what has.",
     .wrong = R"(model M
  parameter Integer n(fixed = false) = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -n*x;
end M;)",
     .message = "example.mo:2:23: error D0119: not supported yet: the Integer 'n' with fixed = false",
     .cure = "Write the model without it. A Modelica compiler that flattens the model to Base Modelica removes "
             "classes, connections and libraries; that text is read.",
     .right = R"(model M
  parameter Integer n = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -n*x;
end M;)"},
    {.code = Code::TooManyMistakes,
     .title = "too many mistakes",
     .reason =
         "So many mistakes were found that the rest of the text is not looked at. Most of them often have one cause.",
     .wrong = R"($ driftless run tests/bad_models/unknown_names.mo)",
     .message = "error D0120: more than 100 mistakes: the rest is not looked at",
     .cure = "Mend the first ones and run the program again.",
     .right = R"($ driftless run tests/bad_models/decay.mo)"},
};

}  // namespace

Entries entries_of_text() { return text_entries; }

}  // namespace driftless::diagnostics
