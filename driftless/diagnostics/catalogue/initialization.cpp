#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry initialization_entries[] = {
    {.code = Code::StartNotFound,
     .title = "no consistent start was found",
     .reason =
         "At the start all equations, their hidden derivatives and the conditions (fixed values, initial equations) "
         "must hold together. Newton's iteration found no such point from the start values. There may be none, or the "
         "guesses are too far away. The message names the conditions that are in the way and what they miss.",
     .wrong = R"(model M
  Real x(start = 50);
equation
  exp(-x^2) = 0.5;
end M;)",
     .message = "failed     D0501: no consistent initial values were found near the start values",
     .cure = "Give start values near the solution and nominal where numbers are large or small; take fixed = true from "
             "a condition that cannot hold.",
     .right = R"(model M
  Real x(start = 1);
equation
  exp(-x^2) = 0.5;
end M;)"},
    {.code = Code::ConditionsContradict,
     .title = "initial conditions that cannot hold together",
     .reason = "The fixed values and initial equations that are named contradict each other or the equations of the "
               "model; hidden constraints, which are derivatives of equations, count too.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y(start = 1);
equation
  der(x) = -x;
  y^2 = x - 2;
end M;)",
     .message = "failed     D0502: the fixed start x = 1 contradicts the equations",
     .cure = "Remove one of the conditions, or change its value so that it agrees.",
     .right = R"(model M
  Real x(start = 3, fixed = true), y(start = 1);
equation
  der(x) = 3 - x;
  y^2 = x - 2;
end M;)"},
    {.code = Code::TooManyConditions,
     .title = "more initial conditions than degrees of freedom",
     .reason = "A model takes as many initial values as it has degrees of freedom; constraints determine the rest. "
               "More conditions are allowed if they agree; these do not.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = x^2;
end M;)",
     .message = "failed     D0503: 2 initial conditions for 1 degree of freedom: the fixed start x = 1 and the fixed "
                "start y = 2 cannot hold together",
     .cure = "Take fixed = true from what follows from the others. driftless analyze says how many degrees of freedom "
             "there are.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y(start = 2);
equation
  der(x) = -x;
  y = x^2;
end M;)"},
    {.code = Code::NoSolutionAtStart,
     .title = "the equations have no solution at the start",
     .reason = "Already without any initial condition the equations and their hidden derivatives contradict each other "
               "at the start time.",
     .wrong = R"(model M
  Real y(start = 1);
equation
  y^2 + 1 = 0;
end M;)",
     .message = "failed     D0504: the equations have no solution at the start",
     .cure = "Remove or change one of the equations that the message names.",
     .right = R"(model M
  Real y(start = 1);
equation
  y^2 - 1 = 0;
end M;)"},
    {.code = Code::NoValueAtStart,
     .title = "an expression has no value at the start",
     .reason = "At the start values an equation divides by 0 or takes the root or the logarithm of a negative number. "
               "From there no iteration can begin.",
     .wrong = R"(model M
  Real x(start = -1, fixed = true), y;
equation
  der(x) = 1;
  y^3 + y = log(x);
end M;)",
     .message = "failed     D0505: the equations cannot be evaluated at the start",
     .cure = "Give start values at which every expression has a value.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = 1;
  y^3 + y = log(x);
end M;)"},
    {.code = Code::InitialDerivativeTooHigh,
     .title = "an initial equation with a derivative that is too high",
     .reason =
         "An initial equation may contain derivatives up to a few orders above those that the equations determine.",
     .wrong = R"($ driftless run tests/bad_models/initial_derivative_too_high.mo)",
     .message =
         "tests/bad_models/initial_derivative_too_high.mo:5:3: error D0506: der(der(der(der(der(der(der(x))))))) is 6 "
         "orders above the highest derivative that the equations determine; at most 4 are supported",
     .cure = "Write the condition in lower derivatives.",
     .right = R"($ driftless run tests/bad_models/decay.mo)"},
};

}  // namespace

Entries entries_of_initialization() { return initialization_entries; }

}  // namespace driftless::diagnostics
