// A linear problem whose index the structure does not see: y1 + eta t y2 = q(t), y1' + eta t y2' + (1 + eta) y2 = 0. Its
// differentiation index is 2 and nothing is free, but structural analysis finds index 1 and one degree of freedom: the
// system Jacobian ((1, eta t), (1, eta t)) is singular. Only the formulation `original` takes it, as it is written; the
// implicit Euler method then multiplies errors by eta/(1 + eta) in every step.
//
// Exact solution for every eta: y1 = q + eta t q', y2 = -q'. ../lecture_10_1_decoupled.mo is the same problem in other
// variables, without the trap.
//
// Source: U. M. Ascher and L. R. Petzold, Computer Methods for Ordinary Differential Equations and
// Differential-Algebraic Equations (1998), Example 10.1.
model Lecture101 "A linear index-2 problem that breaks the implicit Euler method"
  parameter Real eta = 1;
  Real y1(start = 0), y2(start = -1);
equation
  y1 + eta*time*y2 = sin(time);
  der(y1) + eta*time*der(y2) + (1 + eta)*y2 = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Lecture101;
