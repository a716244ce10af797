#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry names_entries[] = {
    {.code = Code::UnknownName,
     .title = "an unknown name",
     .reason = "No variable, parameter, type, function or class of this name is known at this place. It is misspelt, "
               "was never declared, or belongs to a library that is not read. The nearest name is offered.",
     .wrong = R"(model M
  parameter Real length = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/lenght;
end M;)",
     .message = "example.mo:5:15: error D0201: unknown variable 'lenght': did you mean 'length'?",
     .cure = "Correct the spelling, or declare the name.",
     .right = R"(model M
  parameter Real length = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/length;
end M;)"},
    {.code = Code::DeclaredTwice,
     .title = "a name is declared twice",
     .reason = "Two things of one class have the same name: in an equation the name would be ambiguous.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  parameter Real x = 2;
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:3:18: error D0202: 'x' is declared twice",
     .cure = "Rename or remove one of them.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  parameter Real k = 2;
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::NameOfAType,
     .title = "the name of a predefined type",
     .reason = "Real, Integer, Boolean and String are types; nothing else can have these names.",
     .wrong = R"(model M
  Real Integer(start = 1, fixed = true);
equation
  der(Integer) = -1;
end M;)",
     .message = "example.mo:2:8: error D0203: 'Integer' is a predefined type: nothing else can have its name",
     .cure = "Choose another name.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
end M;)"},
    {.code = Code::NotAType,
     .title = "this is not a type",
     .reason = "A declaration begins with the name of a type. What stands there is known, but as a variable, a "
               "function or a package.",
     .wrong = R"(model M
  parameter Real k = 2;
  k x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:3:3: error D0204: 'k' is not a type",
     .cure = "Write the type, for example Real.",
     .right = R"(model M
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::DependsOnItself,
     .title = "a value or type depends on itself",
     .reason =
         "The value of a parameter needs another, which needs the first: there is no order in which they can be "
         "computed. The message shows the circle. Between variables this is allowed: equations are solved together.",
     .wrong = R"(model M
  parameter Real area = width*height;
  parameter Real width = area/height;
  parameter Real height = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/area;
end M;)",
     .message = "example.mo:2:25: error D0205: 'width' depends on itself: width -> area -> width",
     .cure = "Give one of them a value of its own.",
     .right = R"(model M
  parameter Real area = width*height;
  parameter Real width = 3;
  parameter Real height = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/area;
end M;)"},
    {.code = Code::NotAFunction,
     .title = "this is not a function",
     .reason = "A name in front of parentheses is called as a function, but it is a variable or a model. Often a '*' "
               "is missing.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -y;
  y = x(1 + x);
end M;)",
     .message = "example.mo:6:7: error D0206: 'x' is not a function",
     .cure = "Write the product with '*', or call a function.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -y;
  y = x*(1 + x);
end M;)"},
    {.code = Code::NotAValue,
     .title = "this has no value",
     .reason = "The name of a type, a function or a class, or the call of a function without outputs, stands where a "
               "value is needed.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sin;
end M;)",
     .message = "example.mo:4:13: error D0207: 'sin' is a function, not a value",
     .cure = "Call the function with its arguments, or name a variable.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sin(x);
end M;)"},
    {.code = Code::NotAccessible,
     .title = "this cannot be used from here",
     .reason = "What is protected belongs to its class alone. From a partial class nothing can be taken. A function "
               "sees its own variables and constants only, not the variables of the model around it.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  function f
    input Real u;
    output Real y;
  algorithm
    y := u*x;
  end f;
equation
  der(x) = -f(2);
end M;)",
     .message = "example.mo:7:12: error D0208: 'x' belongs to M and is not a constant: it cannot be used in M.f",
     .cure = "Hand the value over as an argument, or make it public or constant.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  function f
    input Real u;
    input Real x;
    output Real y;
  algorithm
    y := u*x;
  end f;
equation
  der(x) = -f(2, x);
end M;)"},
    {.code = Code::UnknownAttribute,
     .title = "an unknown attribute or setting",
     .reason = "Variables have the attributes start, fixed, min, max, nominal, unit, displayUnit, quantity and "
               "stateSelect. What is not understood is refused, since a misspelt start would silently be no start.",
     .wrong = R"(model M
  Real x(strat = 1, fixed = true);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:10: error D0209: 'x' has no attribute 'strat': did you mean 'start'?",
     .cure = "Correct the spelling.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::AttributeWithoutValue,
     .title = "an attribute without a value",
     .reason = "An attribute is given as name = value.",
     .wrong = R"(model M
  Real x(start = 1, fixed);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:21: error D0210: the attribute 'fixed' needs a value: fixed = ...",
     .cure = "Write the value, for example fixed = true.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;)"},
};

}  // namespace

Entries entries_of_names() { return names_entries; }

}  // namespace driftless::diagnostics
