#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry jumps_entries[] = {
    {.code = Code::JumpDifferentiated,
     .title = "an equation that jumps has to be differentiated",
     .reason = "The equation ties variables together whose derivatives occur elsewhere, so its derivatives must hold "
               "as well (docs/structure.md). Where it jumps it has none: the solution would need an impulse.",
     .wrong = R"(model M
  Real x, v, F;
equation
  der(x) = v;
  der(v) = F;
  x = noEvent(if time < 0.5 then 0 else 1);
end M;)",
     .message = "example.mo:6:3: error D0401: x = noEvent(if time < 0.5 then 0 else 1) must be differentiated twice, "
                "but it jumps where time = 0.5",
     .cure = "Let the two sides meet where the condition changes, smoothly enough for the number of derivatives that "
             "the message names.",
     .right = R"(model M
  Real x, v, F;
equation
  der(x) = v;
  der(v) = F;
  x = if time < 0.5 then 0 else (time - 0.5)^3;
end M;)"},
    {.code = Code::KinkDifferentiated,
     .title = "an equation with a kink has to be differentiated",
     .reason = "The equation itself is continuous, but one of the derivatives that are needed jumps: a velocity would "
               "jump, and the force would be an impulse.",
     .wrong = R"(model M
  Real x(start = -1, fixed = true), y, v, F;
equation
  der(x) = 1;
  der(y) = v;
  der(v) = F;
  y = abs(x);
end M;)",
     .message = "example.mo:7:3: error D0402: y = abs(x) must be differentiated twice, but its first derivative jumps "
                "where x = 0",
     .cure = "Round the corner, for example sqrt(x^2 + 1e-6) for abs(x).",
     .right = R"(model M
  Real x(start = -1, fixed = true), y, v, F;
equation
  der(x) = 1;
  der(y) = v;
  der(v) = F;
  y = sqrt(x^2 + 1e-3);
end M;)"},
    {.code = Code::DerivativeOfJump,
     .title = "der(...) of what jumps",
     .reason = "The argument of der(...) jumps, or has a kink where its derivative is needed: there is no derivative.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = der(floor(4*x));
end M;)",
     .message = "example.mo:5:11: error D0403: the argument of der has no derivative: floor(4*x) jumps",
     .cure = "Write the expression without the jump.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = der(4*x);
end M;)"},
    {.code = Code::InputNotSmooth,
     .title = "an input that jumps or has a kink has to be differentiated",
     .reason = "Equations of higher index need derivatives of their inputs (docs/inputs.md). A table is linear between "
               "its rows, so that its slope jumps there, and where a time is repeated its value: a further derivative "
               "would be an impulse. A function that is given in C++ is a cubic spline, whose third derivative jumps.",
     .wrong = R"($ driftless run models/hybrid/guided_mass.mo --input models/hybrid/driven_lag.csv)",
     .message = "models/hybrid/guided_mass.mo:10:3: error D0410: the input 'u' has a kink at t = 1, but it must be "
                "differentiated twice: line 10 asks for that",
     .cure = "Let the input act through a filter, T*der(v) = u - v, and use v in its place; or give the input as a "
             "function in C++.",
     .right = R"($ driftless run models/hybrid/driven_lag.mo --input models/hybrid/driven_lag.csv)"},
};

}  // namespace

Entries entries_of_jumps() { return jumps_entries; }

}  // namespace driftless::diagnostics
