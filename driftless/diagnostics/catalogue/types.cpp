#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry types_entries[] = {
    {.code = Code::TypesDiffer,
     .title = "types do not fit",
     .reason = "A number, a truth value, a string and an enumeration are different things: the two sides of an "
               "equation, the branches of an 'if', the operands of an operator and the value of a declaration must "
               "agree. An Integer may stand where a Real is needed, not the other way round.",
     .wrong = R"(model M
  parameter Integer n = 2.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -n*x;
end M;)",
     .message = "example.mo:2:25: error D0211: the value of 'n' must be Integer, but this is Real",
     .cure = "Change the type of the declaration, or the value.",
     .right = R"(model M
  parameter Real n = 2.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -n*x;
end M;)"},
    {.code = Code::ConditionNotBoolean,
     .title = "a condition is not true or false",
     .reason = "Behind 'if', 'while' and in 'assert' stands a relation or a Boolean scalar. A number is no condition "
               "in Modelica.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if x then -x else 0;
end M;)",
     .message = "example.mo:4:15: error D0212: a condition must be Boolean, but this is Real",
     .cure = "Write the relation that is meant.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -x else 0;
end M;)"},
    {.code = Code::ShapesDiffer,
     .title = "shapes of arrays differ",
     .reason = "The two sides of an equation, a declaration and its value, the operands of '+' and '-' must have the "
               "same sizes.",
     .wrong = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = {-1, -2};
end M;)",
     .message = "example.mo:4:3: error D0213: the two sides have different shapes: [3] and [2]",
     .cure = "Give both the same sizes; './' and '.*' take a scalar for every element.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = {-1, -2, -3};
end M;)"},
    {.code = Code::ShapesCannotCombine,
     .title = "shapes that an operation does not take",
     .reason = "A product needs as many columns as the other factor has rows; one divides by scalars; a power is that "
               "of a scalar or of a square matrix; arrays that are joined agree in all other dimensions.",
     .wrong = R"(model M
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -A*x;
end M;)",
     .message = "example.mo:5:13: error D0214: shapes [2, 3] and [2] cannot be multiplied",
     .cure = "Check the sizes; for an operation on every element write '.*', './' or '.^'.",
     .right = R"(model M
  parameter Real A[2, 2] = [1, 2; 4, 5];
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -A*x;
end M;)"},
    {.code = Code::SubscriptOutOfBounds,
     .title = "a subscript is out of bounds",
     .reason = "Subscripts run from 1 to the size of the array. In a loop the message says at which turn it happens.",
     .wrong = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    der(x[i]) = x[i + 1] - x[i];
  end for;
end M;)",
     .message = "example.mo:5:19: error D0215: subscript 4 is out of bounds: 'x' has the shape [3]",
     .cure = "Change the range of the loop or the size, and write the equations of the ends by themselves.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:2 loop
    der(x[i]) = x[i + 1] - x[i];
  end for;
  der(x[3]) = -x[3];
end M;)"},
    {.code = Code::WrongSubscript,
     .title = "a subscript that does not fit",
     .reason = "A subscript is an Integer, a range or a vector of these; there are as many as the array has "
               "dimensions; 'end' has a meaning only in a subscript.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x[1]) = -x[1];
end M;)",
     .message = "example.mo:4:7: error D0216: 'x' is a scalar and has no subscripts",
     .cure = "Declare an array, or leave the subscripts out.",
     .right = R"(model M
  Real x[1](each start = 1, each fixed = true);
equation
  der(x[1]) = -x[1];
end M;)"},
    {.code = Code::WrongRange,
     .title = "a range that is none",
     .reason = "A range first:last or first:step:last consists of scalar numbers, and its step is not 0. A loop runs "
               "over a vector.",
     .wrong = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:0:3 loop
    der(x[i]) = -x[i];
  end for;
end M;)",
     .message = "example.mo:4:12: error D0217: the step of a range must not be 0",
     .cure = "Write first:last, or a step that is not 0.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    der(x[i]) = -x[i];
  end for;
end M;)"},
    {.code = Code::WrongSize,
     .title = "a size that cannot be used",
     .reason = "Sizes are Integers that are not negative. A size ':' is taken from the value of the declaration, which "
               "then must have one with as many dimensions.",
     .wrong = R"(model M
  Real x[:](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:8: error D0218: the size of 'x' cannot be taken from its value, because it has none",
     .cure = "Write the size, or give a value.",
     .right = R"(model M
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::ModelTooLarge,
     .title = "too many elements",
     .reason = "An array, or all variables together, would need more memory than there is. Often a size was typed with "
               "too many digits.",
     .wrong = R"(model M
  Real x[100000000](each start = 1);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:8: error D0219: an array with more than 10 million elements",
     .cure = "Choose a smaller size.",
     .right = R"(model M
  Real x[100](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;)"},
};

}  // namespace

Entries entries_of_types() { return types_entries; }

}  // namespace driftless::diagnostics
