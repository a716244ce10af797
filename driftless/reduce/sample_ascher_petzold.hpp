// The linear examples 1 to 3 of Ascher & Petzold (1993, Section 4), with the solution x = e^t (1, 1).
#pragma once

#include "driftless/model/builder.hpp"

namespace driftless::samples {

// x1 is always the state if the user prefers it: R = (1, 0).
struct AscherPetzold {
  double nu = 1000.0;
  StateSelect first = StateSelect::Default;
  double start = 1.0;  // of x1; other values than 1 add a solution of the homogeneous equations
};

// A constraint that turns nu radians per second: C = (sin nu t, cos nu t), B = C^T, multiplier -e^t / (2 - t).
inline Model ascher_petzold_1(const AscherPetzold& given) {
  ModelBuilder m("AscherPetzold1");
  const Expr t = m.time(), x1 = m.variable("x1", {.start = given.start, .fixed = true, .state_select = given.first}),
             x2 = m.variable("x2", {.start = 1.0}), y = m.variable("y");
  const Expr s = sin(given.nu * t), c = cos(given.nu * t), e = exp(t), exact = -e / (2.0 - t);
  m.equation(der(x1) == -x1 + s * y + 2.0 * e - s * exact);
  m.equation(der(x2) == -x2 + c * y + 2.0 * e - c * exact);
  m.equation(s * x1 + c * x2 == (s + c) * e, "rotating");
  return m.build();
}

// Essential underlying equation u' = -nu/(2 - t) u for R = (nu - 1, -(2 - t) nu): stiff although A = 0.
inline Model ascher_petzold_2(const AscherPetzold& given) {
  ModelBuilder m("AscherPetzold2");
  const Expr t = m.time(), x1 = m.variable("x1", {.start = given.start, .fixed = true, .state_select = given.first}),
             x2 = m.variable("x2", {.start = 1.0}), y = m.variable("y"), e = exp(t);
  const double nu = given.nu;
  m.equation(der(x1) == (2.0 - t) * nu * y + (1.0 + nu) * e);
  m.equation(der(x2) == (nu - 1.0) * y + (1.0 + (nu - 1.0) / (2.0 - t)) * e);
  m.equation((t + 2.0) * x1 + (t * t - 4.0) * x2 == (t * t + t - 2.0) * e, "constraint");
  return m.build();
}

// M p'' = E p' + q - C^T lambda with C = (1, t - 2), E = diag(0, e/((2 + t) nu)). Essential underlying equation for
// R = (nu - 1, -nu (2 - t)) and e = 1: u'' = -nu/(2 - t) u' - nu/(2 - t)^2 u.
inline Model ascher_petzold_3(const AscherPetzold& given, double e1 = 1.0, double start_velocity = 1.0) {
  ModelBuilder m("AscherPetzold3");
  const Expr t = m.time(), p1 = m.variable("p1", {.start = given.start, .fixed = true, .state_select = given.first}),
             p2 = m.variable("p2", {.start = 1.0}), lambda = m.variable("lambda"), e = exp(t);
  const double nu = given.nu;
  const Expr scale = 1.0 / ((2.0 + t) * nu * nu), m11 = scale * (2.0 * nu * nu - 2.0 * nu + 1.0) / (2.0 - t),
             m12 = -scale * nu * (2.0 * nu - 1.0), m22 = scale * 2.0 * nu * nu * (2.0 - t),
             drag = e1 / ((2.0 + t) * nu), exact = e / (2.0 - t);
  m.equation(m11 * der(der(p1)) + m12 * der(der(p2)) == (m11 + m12) * e + exact - lambda);
  m.equation(m12 * der(der(p1)) + m22 * der(der(p2)) ==
             drag * der(p2) + (m12 + m22) * e - drag * e + (t - 2.0) * (exact - lambda));
  m.equation(p1 + (t - 2.0) * p2 == (t - 1.0) * e, "constraint");
  m.initial_equation(der(p1) == start_velocity);
  return m.build();
}

}  // namespace driftless::samples
