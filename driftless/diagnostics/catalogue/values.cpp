#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry values_entries[] = {
    {.code = Code::NotKnownBeforeRun,
     .title = "this must be known before the run",
     .reason = "Parameters, attributes, sizes and ranges of loops are computed once, before the run. Variables and "
               "time change during it, so they cannot occur there.",
     .wrong = R"(model M
  Real v(start = 1, fixed = true);
  parameter Real energy = v^2/2;
equation
  der(v) = -v;
end M;)",
     .message = "example.mo:3:27: error D0229: 'v' changes during the run, but the value of a parameter must be known "
                "before it",
     .cure = "Declare what changes as a variable with an equation.",
     .right = R"(model M
  Real v(start = 1, fixed = true);
  Real energy = v^2/2;
equation
  der(v) = -v;
end M;)"},
    {.code = Code::NotFinite,
     .title = "a value that is not a finite number",
     .reason = "A value of the model is infinite or undefined, most often by a division by 0.",
     .wrong = R"(model M
  parameter Real L = 0;
  parameter Real k = 1/L;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)",
     .message = "example.mo:3:22: error D0230: the value of 'k' is not a finite number",
     .cure = "Look at the values it is computed from.",
     .right = R"(model M
  parameter Real L = 0.5;
  parameter Real k = 1/L;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;)"},
    {.code = Code::NominalNotPositive,
     .title = "nominal is not positive",
     .reason = "nominal is the size that a variable typically has. Tolerances are measured by it, so it is above 0.",
     .wrong = R"(model M
  Real p(start = 1e5, fixed = true, nominal = 0);
equation
  der(p) = -p;
end M;)",
     .message = "example.mo:2:37: error D0231: nominal of 'p' must be positive, but is 0",
     .cure = "Write the typical absolute value.",
     .right = R"(model M
  Real p(start = 1e5, fixed = true, nominal = 1e5);
equation
  der(p) = -p;
end M;)"},
    {.code = Code::MinAboveMax,
     .title = "min is above max",
     .reason = "No value lies between the two bounds.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true, min = 2, max = 0);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:44: error D0232: 'x' has min = 2 above max = 0",
     .cure = "Exchange the bounds, or correct one of them.",
     .right = R"(model M
  Real x(start = 1, fixed = true, min = 0, max = 2);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::OutsideBounds,
     .title = "a value outside of its bounds",
     .reason = "A warning: the start or the value of a parameter lies outside of its own min and max. The program goes "
               "on with the value.",
     .wrong = R"(model M
  Real x(start = -1, fixed = true, min = 0);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:10: warning D0233: the start value of 'x', -1, is outside [0, inf]",
     .cure = "Correct the value or the bound.",
     .right = R"(model M
  Real x(start = 1, fixed = true, min = 0);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::EachMissing,
     .title = "one value for all elements of an array",
     .reason = "A warning. An attribute of an array needs a value for every element; one number for all of them is "
               "written with 'each'. It is taken for every element.",
     .wrong = R"(model M
  Real x[3](start = 1, each fixed = true);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:13: warning D0234: start = 1 is taken for every element of 'x': write each start = 1",
     .cure = "Write each start = 1.",
     .right = R"(model M
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::WrongInvariant,
     .title = "an invariant that is none",
     .reason = "An invariant is written name = expression in the annotation __Driftless(invariants(...)). It is a "
               "number, and it contains a variable: otherwise there is nothing that could change.",
     .wrong = R"(model M
  parameter Real m = 2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(invariants(energy = m/2)));
end M;)",
     .message = "example.mo:7:37: error D0235: the invariant 'energy' contains no variable",
     .cure = "Write the expression in terms of the variables.",
     .right = R"(model M
  parameter Real m = 2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(invariants(energy = m/2*(x^2 + v^2))));
end M;)"},
    {.code = Code::TooManyTargets,
     .title = "more variables than the function has outputs",
     .reason = "In (a, b) = f(x) every variable on the left takes one output of the function.",
     .wrong = R"(model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -a - b;
  (a, b) = f(x);
end M;)",
     .message = "example.mo:11:3: error D0236: 2 values on the left, but the right side gives only 1",
     .cure = "Take fewer variables, or give the function another output.",
     .right = R"(model M
  function f
    input Real u;
    output Real y;
    output Real z;
  algorithm
    y := 2*u;
    z := 3*u;
  end f;
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -a - b;
  (a, b) = f(x);
end M;)"},
    {.code = Code::IteratorsNotAllowed,
     .title = "this function does not run over a list",
     .reason = "f(expression for i in 1:n) is for sum, product, min, max and for arrays.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sin(i*x for i in 1:3);
end M;)",
     .message =
         "example.mo:4:13: error D0237: 'sin' cannot be applied to a list of iterators: sum, product, min and max can",
     .cure = "Write the function inside, and say what is done with the values.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sum(sin(i*x) for i in 1:3);
end M;)"},
    {.code = Code::AssertionViolatedInText,
     .title = "an assertion about parameters does not hold",
     .reason = "The model says by assert(...) for which parameters it is meant, and the present ones are not among "
               "them. At the level warning the program goes on.",
     .wrong = R"(model M
  parameter Real m = -1;
  Real x(start = 1, fixed = true);
equation
  assert(m > 0, "the mass must be positive");
  der(x) = -x/m;
end M;)",
     .message = "example.mo:5:3: error D0238: assertion violated: the mass must be positive",
     .cure = "Change the parameters as the message of the model says.",
     .right = R"(model M
  parameter Real m = 1;
  Real x(start = 1, fixed = true);
equation
  assert(m > 0, "the mass must be positive");
  der(x) = -x/m;
end M;)"},
    {.code = Code::WrongExperiment,
     .title = "settings of the experiment that cannot be used",
     .reason = "In the annotation experiment(...) the stop time must not lie before the start time, the tolerance lies "
               "between 0 and 0.1, the interval is positive.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StartTime = 10, StopTime = 1));
end M;)",
     .message = "example.mo:5:14: error D0239: StopTime = 1 is before StartTime = 10",
     .cure = "Correct the annotation.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StartTime = 0, StopTime = 1));
end M;)"},
    {.code = Code::NoModel,
     .title = "there is no model in the file",
     .reason = "The file is empty, has comments only, or only packages, functions and types: nothing that could be "
               "integrated.",
     .wrong = R"(package P
  constant Real k = 2;
end P;)",
     .message = "error D0240: there is no model in 'example.mo'",
     .cure = "Write a model, or name another file.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -2*x;
end M;)"},
    {.code = Code::ModelNotFound,
     .title = "the file has no such model",
     .reason = "--model names a model of the file by its name, or by its full name if there are several of that name.",
     .wrong = R"($ driftless run models/pendulum.mo --model Pendel)",
     .message = "error D0241: there is no model 'Pendel' in 'models/pendulum.mo'",
     .cure = "Take one of the names that the message lists.",
     .right = R"($ driftless run models/pendulum.mo --model Pendulum)"},
    {.code = Code::FixedByTheText,
     .title = "this parameter cannot change from run to run",
     .reason = "Sizes of arrays, branches or settings were computed from it when the text was read. A compiled model "
               "keeps them.",
     .wrong = R"(const std::string text =
    "model M parameter Integer n = 2; Real x[n](each start = 1); equation der(x) = -x; end M;";
const Compiled compiled = compile(read_model_text("m.mo", text));
simulate(compiled, {.parameters = {{"n", 3.0}}});)",
     .message = "m.mo:1:27: error D0242: 'n' cannot change from run to run: sizes, branches or settings of the model "
                "were computed from it when its text was read",
     .cure = "Read the text again with the value as an override.",
     .right = R"(ReadOptions options;
options.overrides = {{"n", "3"}};
simulate(compile(read_model_text("m.mo", text, options)));)"},
    {.code = Code::ForeignExpression,
     .title = "an expression of another model",
     .reason = "In C++ a variable belongs to the model that it was made by. Expressions of two models cannot be mixed.",
     .wrong = R"(ModelBuilder a("A"), b("B");
const Expr x = a.variable("x", {.start = 1.0, .fixed = true});
b.equation(der(x) == -x);
b.build();)",
     .message = "error D0243: equation 1: an expression of another model is used; every model has variables of its own",
     .cure = "Make the variable in the model that uses it.",
     .right = R"(ModelBuilder b("B");
const Expr x = b.variable("x", {.start = 1.0, .fixed = true});
b.equation(der(x) == -x);
b.build();)"},
    {.code = Code::WrongMechanism,
     .title = "a mechanism whose parts do not fit",
     .reason = "In C++ a mechanism has a force and a row of the mass matrix for each coordinate; each constraint "
               "contains a coordinate; what is held or driven is a coordinate of a body.",
     .wrong = R"(constrained_motion("M", {{.name = "x"}, {.name = "y"}}, [](Expr, const auto&, const auto&) {
  return EquationsOfMotion{.mass = diagonal({1.0, 1.0}), .force = {0.0}};
});)",
     .message = "error D0244: the force has 1 entries for 2 coordinates",
     .cure = "Give as many entries as there are coordinates.",
     .right = R"(constrained_motion("M", {{.name = "x"}, {.name = "y"}}, [](Expr, const auto&, const auto&) {
  return EquationsOfMotion{.mass = diagonal({1.0, 1.0}), .force = {0.0, -9.81}};
});)"},
    {.code = Code::WrongBoundaryText,
     .title = "a final equation or guess that cannot be used",
     .reason =
         "Conditions at the end of the interval are written __Driftless(finalEquations = {x == 1}), with two equal "
         "signs, and compare numbers. A guess, guess(x = 1 + time), is a number that contains time and parameters, "
         "and a variable has one.",
     .wrong = R"(model M
  Real x(start = 0, fixed = true);
  Real v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(finalEquations = {x == 1}, guess(v = x)));
end M;)",
     .message =
         "example.mo:7:59: error D0245: the guess of 'v' contains a variable; it may contain time and parameters",
     .cure = "Write the guess as a function of time.",
     .right = R"(model M
  Real x(start = 0, fixed = true);
  Real v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(finalEquations = {x == 1}, guess(v = 1 - time)));
end M;)"},
    {.code = Code::WrongLagrangian,
     .title = "a Lagrangian that gives no equations of motion",
     .reason =
         "The annotation __Driftless(lagrangian = ..., coordinates = {...}) stands for equations of motion. The "
         "Lagrangian is a number that contains coordinates and velocities and nothing else that moves; there is a "
         "force for each coordinate and a multiplier for each constraint, if they are given.",
     .wrong = R"(model M
  Real x(start = 1);
equation
  annotation(__Driftless(lagrangian = -x^2/2, coordinates = {x}));
end M;)",
     .message = "example.mo:4:39: error D0246: the lagrangian contains no velocity: nothing would move",
     .cure = "Add the kinetic energy.",
     .right = R"(model M
  Real x(start = 1);
equation
  annotation(__Driftless(lagrangian = der(x)^2/2 - x^2/2, coordinates = {x}));
end M;)"},
};

}  // namespace

Entries entries_of_values() { return values_entries; }

}  // namespace driftless::diagnostics
