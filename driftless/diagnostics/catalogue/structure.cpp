#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry structure_entries[] = {
    {.code = Code::TooManyEquations,
     .title = "too many equations",
     .reason =
         "Some equations contain fewer unknowns than there are equations: in general they cannot all hold. The rest of "
         "the model may be right; the message names the smallest part that is wrong. Often one equation is written "
         "twice, follows from others, or a variable was turned into a parameter and kept its equation. In circuits two "
         "voltage sources in parallel look like this, in mechanisms a motion that is prescribed twice.",
     .wrong = R"(model M
  Real x, y;
equation
  x + y = 3;
  x - y = 1;
  x = 2;
end M;)",
     .message = "example.mo:4:3: error D0301: 3 equations determine only 2 unknowns: x and y",
     .cure = "Remove one of the equations that are listed, or let one of them depend on a further variable.",
     .right = R"(model M
  Real x, y;
equation
  x + y = 3;
  x - y = 1;
end M;)"},
    {.code = Code::TooFewEquations,
     .title = "too few equations",
     .reason = "Some unknowns occur in fewer equations than there are unknowns: their values are not determined. The "
               "message names the unknowns and the equations in which they occur.",
     .wrong = R"(model M
  Real u, i, uR;
equation
  uR = 100*i;
  u + uR = sin(time);
end M;)",
     .message = "example.mo:2:8: error D0302: 2 equations must determine 3 unknowns: u, i and uR",
     .cure = "Add the missing equation, often that of an element (a capacitor, a spring), or turn one of the unknowns "
             "into a parameter.",
     .right = R"(model M
  Real u(start = 0, fixed = true), i, uR;
equation
  uR = 100*i;
  u + uR = sin(time);
  1e-3*der(u) = i;
end M;)"},
    {.code = Code::EquationWithoutUnknown,
     .title = "an equation without an unknown",
     .reason =
         "The equation contains only parameters, numbers and time. It holds or it does not; it determines nothing.",
     .wrong = R"(model M
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
  a = 2;
end M;)",
     .message = "example.mo:6:3: error D0303: the equation a = 2 contains no unknown",
     .cure = "Remove it, or declare one of its parameters as a variable.",
     .right = R"(model M
  Real a;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
  a = 2;
end M;)"},
    {.code = Code::VariableInNoEquation,
     .title = "a variable that occurs in no equation",
     .reason = "Nothing determines its value.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  Real force;
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:3:8: error D0304: force occurs in no equation",
     .cure = "Use it in an equation, declare it as a parameter, or remove it.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  Real force;
equation
  der(x) = -x;
  force = 2*x;
end M;)"},
    {.code = Code::HiddenSingularity,
     .title = "equations that do not determine their unknowns",
     .reason = "There are as many equations as unknowns, and every unknown occurs, but some combination of the "
               "equations is free of them at every point: one of them follows from the others, or a value is not "
               "determined. In a circuit the ground may be missing, or one nodal equation too many is written. Where "
               "the pattern is a known one, a note names it.",
     .wrong = R"(model M
  Real a, b;
equation
  a - b = sin(time);
  2*a - 2*b = 2*sin(time);
end M;)",
     .message = "example.mo:4:3: error D0305: the equations line 4 and line 5 do not determine a and b: their Jacobian "
                "has rank 1 of 2 at every point",
     .cure = "Replace the equation that follows from the others by one that says something new: the potential of the "
             "ground, the condition that is missing.",
     .right = R"(model M
  Real a, b;
equation
  a - b = sin(time);
  b = 0;
end M;)"},
    {.code = Code::EquationsContradict,
     .title = "equations contradict each other",
     .reason = "A combination of the equations is free of all unknowns, and what is left is not 0 = 0. No values "
               "satisfy them. The message shows the combination.",
     .wrong = R"(model M
  Real a, b;
equation
  a - b = 1;
  a - b = 2;
end M;)",
     .message = "example.mo:4:3: error D0306: the equations line 4 and line 5 contradict each other: in (line 4) - "
                "(line 5) all unknowns cancel, and 0 = 1 is left",
     .cure = "Remove or correct one of the equations that are named.",
     .right = R"(model M
  Real a, b;
equation
  a - b = 1;
  a + b = 2;
end M;)"},
    {.code = Code::DerivativeNotDetermined,
     .title = "a derivative that no equation determines",
     .reason = "An invariant or an assertion contains a derivative that occurs in no equation and follows from none.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x;
  z = x^2;
  assert(der(der(x)) < 5, "too fast");
end M;)",
     .message = "example.mo:6:3: error D0307: this assertion contains der(der(x)), which no equation determines",
     .cure = "Write it in terms of quantities that the equations determine.",
     .right = R"(model M
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x;
  z = x^2;
  assert(der(x) < 5, "too fast");
end M;)"},
    {.code = Code::CannotBeState,
     .title = "stateSelect = always for what cannot be a state",
     .reason = "A state is a variable whose value the equations leave open at the start. This one is determined by "
               "the time and the parameters.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  Real y(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = time^2;
end M;)",
     .message = "example.mo:3:8: error D0308: stateSelect = always, but y cannot be a state: the equations leave it no "
                "freedom",
     .cure = "Ask for a variable that is free, or leave stateSelect out.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  Real y(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = 2*x + 1;
end M;)"},
    {.code = Code::MustBeState,
     .title = "stateSelect = never for what must be a state",
     .reason = "The variable is known by its derivative only, or so many variables of a constraint are excluded that "
               "too few are left.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end M;)",
     .message = "example.mo:2:8: error D0309: stateSelect = never, but x must be a state: it is known by its "
                "derivative only, and no constraint determines it",
     .cure = "Write StateSelect.avoid, or leave it out.",
     .right = R"(model M
  Real x(start = 1, fixed = true, stateSelect = StateSelect.avoid);
equation
  der(x) = -x;
end M;)"},
    {.code = Code::TooManyStatesAskedFor,
     .title = "stateSelect = always for more variables than there are states",
     .reason = "Constraints between these variables leave fewer of them free than are asked for.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real y(stateSelect = StateSelect.always);
equation
  der(x) + der(y) = -x;
  x = 2*y;
end M;)",
     .message =
         "example.mo:2:8: error D0310: stateSelect = always is asked for x and y, but only 1 of x and y can be a state",
     .cure = "Ask for fewer of them.",
     .right = R"(model M
  Real x(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real y;
equation
  der(x) + der(y) = -x;
  x = 2*y;
end M;)"},
    {.code = Code::WrongBoundaryConditions,
     .title = "conditions at both ends that do not fit the states",
     .reason =
         "A boundary value problem has as many conditions as states: fixed starts and initial equations at one end, "
         "final equations at the other. What the constraints of any level decide can be imposed at neither end.",
     .wrong = R"($ driftless solve-bvp models/pendulum.mo)",
     .message = "error D0311: the model has no final equations: this is no boundary value problem",
     .cure = "Add or remove conditions until there is one for each state; driftless analyze counts the states.",
     .right = R"($ driftless solve-bvp models/boundary/bratu.mo)"},
    {.code = Code::UnbalancedClass,
     .title = "a component with too few or too many equations",
     .reason = "The whole has not as many equations as unknowns, and the class of this component is to blame: counted "
               "with open connectors, whose flows and inputs the model around it decides, it has too few or too many.",
     .wrong = R"(connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
equation
  p.v - n.v = 2*p.i;
end Resistor;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  Resistor r;
  Ground g;
equation
  connect(r.p, g.p);
  connect(r.n, g.p);
end M;)",
     .message = "example.mo:5:7: error D0312: r has 1 equation too few: Resistor has 1 for 2 unknowns",
     .cure = "Add the missing equation to the class, here p.i + n.i = 0, or remove the surplus one.",
     .right = R"(connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
equation
  p.v - n.v = 2*p.i;
  p.i + n.i = 0;
end Resistor;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  Resistor r;
  Ground g;
equation
  connect(r.p, g.p);
  connect(r.n, g.p);
end M;)"},
};

}  // namespace

Entries entries_of_structure() { return structure_entries; }

}  // namespace driftless::diagnostics
