#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry functions_entries[] = {
    {.code = Code::WrongNumberOfArguments,
     .title = "too many or too few arguments",
     .reason = "A function takes a fixed number of arguments; inputs with a default value may be left out.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -atan2(x);
end M;)",
     .message = "example.mo:4:13: error D0220: atan2 takes 2 arguments, but 1 is given",
     .cure = "Give the arguments that the message names.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -atan2(x, 2);
end M;)"},
    {.code = Code::WrongArgument,
     .title = "an argument that does not suit",
     .reason = "The function takes another kind of value at this place: a number, a vector, a square matrix, an "
               "Integer that is known before the run.",
     .wrong = R"(model M
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -cross(x, x);
end M;)",
     .message = "example.mo:4:19: error D0221: the first argument of cross must be a vector of 3 numbers, but is [2]",
     .cure = "Give what the message says.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = -cross(x, {0, 0, 1});
end M;)"},
    {.code = Code::UnknownArgument,
     .title = "an argument that the function does not have, or has already",
     .reason = "A named argument must be the name of an input, and every input is given once.",
     .wrong = R"(model M
  function f
    input Real speed;
    output Real y;
  algorithm
    y := 2*speed;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(sped = x);
end M;)",
     .message = "example.mo:10:15: error D0222: M.f has no input 'sped': did you mean 'speed'?",
     .cure = "Use the name in the declaration of the function.",
     .right = R"(model M
  function f
    input Real speed;
    output Real y;
  algorithm
    y := 2*speed;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(speed = x);
end M;)"},
    {.code = Code::NoAlgorithm,
     .title = "a function without an algorithm",
     .reason = "A function computes its outputs in an algorithm section. This one has none, so that there is nothing "
               "to compute.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)",
     .message = "example.mo:8:13: error D0223: the function 'M.f' has no algorithm",
     .cure = "Write the algorithm.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)"},
    {.code = Code::OutputNotAssigned,
     .title = "an output is not assigned",
     .reason = "On some way through the function, for example where a condition is false, the output gets no value.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    if u > 0 then
      y := u;
    end if;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)",
     .message = "example.mo:4:17: error D0224: the output 'y' of M.f is not assigned on every way through it",
     .cure = "Assign it on every way, or before the condition.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 0;
    if u > 0 then
      y := u;
    end if;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)"},
    {.code = Code::EndlessExpansion,
     .title = "a loop or function that does not come to an end",
     .reason = "Functions and loops whose ends are known before the run are expanded into expressions. This one calls "
               "itself or turns without an end, or has more turns than any model needs.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y < 2 loop
      y := y - 1;
    end while;
  end f;
  parameter Real k = f(1);
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)",
     .message = "example.mo:7:5: error D0225: this loop does not end within 1000000 turns",
     .cure = "Look at the condition that ends it.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y < 2 loop
      y := y + 1;
    end while;
  end f;
  parameter Real k = f(1);
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::UsedBeforeAssigned,
     .title = "used before it has a value",
     .reason = "In an algorithm statements are executed in their order. On some way to this place the variable has not "
               "been assigned.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  protected
    Real s;
  algorithm
    y := u + s;
    s := 1;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)",
     .message = "example.mo:8:14: error D0226: 's' is used before it is assigned on every way to this place",
     .cure = "Assign it first.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  protected
    Real s;
  algorithm
    s := 1;
    y := u + s;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)"},
    {.code = Code::NotAssignable,
     .title = "this cannot be assigned",
     .reason = "The inputs of a function and the variable of a loop keep their values.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    u := 2*u;
    y := u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)",
     .message = "example.mo:6:5: error D0227: 'u' is an input and cannot be assigned",
     .cure = "Assign to a protected variable or to the output.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;)"},
    {.code = Code::ExternalFunctionFailed,
     .title = "an external function cannot be called or differentiated, or could not do its work",
     .reason = "The functions that the Modelica Standard Library calls for tables, strings and files are part of the "
               "program. They work when the model is read, so what they need must be known then, the files must be "
               "there, and the points of a table must ascend. All others are C functions of libraries, which run with "
               "the rights of whoever runs the model: they are called only with --allow-external, if their libraries "
               "are found, and differentiated by time only if they name a function that does it (docs/external.md).",
     .wrong = R"(model M
  function f
    input String name;
    output Integer n;
  external "C" n = ModelicaStrings_length(name);
  end f;
  function part
    input String name;
    output String s;
  external "C" s = ModelicaStrings_substring(name, 2, 9);
  end part;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(part("abc"))*x;
end M;)",
     .message = "example.mo:14:15: error D0290: places 2 to 9 of a String with 3 characters",
     .cure = "Change what is given to the function, or what its annotations say, as the message tells.",
     .right = R"(model M
  function f
    input String name;
    output Integer n;
  external "C" n = ModelicaStrings_length(name);
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f("abc")*x;
end M;)"},
    {.code = Code::NoValueGiven,
     .title = "a parameter or constant without a value",
     .reason = "Constants and parameters are numbers of the model. Of a parameter that has none 0 is taken, or its "
               "start, with a warning; of a constant, an array or a size there is nothing to take.",
     .wrong = R"(model M
  parameter Real k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)",
     .message = "example.mo:2:18: warning D0228: the parameter 'k' has no value: 0 is taken",
     .cure = "Write the value in the declaration, or give one with --override.",
     .right = R"(model M
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)"},
};

}  // namespace

Entries entries_of_functions() { return functions_entries; }

}  // namespace driftless::diagnostics
