// The problem of traps/lecture_10_1.mo in the variables u = y1 + eta t y2 and v = y2, in which its structure shows:
// u = q(t), u' + v = 0. Every eta, -1 included, is harmless.
//
// Index 2, no state. Exact solution: y1 = q + eta t q', y2 = -q' with q = sin t.
//
// Source: U. M. Ascher and L. R. Petzold, Computer Methods for Ordinary Differential Equations and
// Differential-Algebraic Equations (1998), Example 10.1.
model Lecture101Decoupled "A linear index-2 problem in variables that show its structure"
  parameter Real eta = 1;
  Real u, v(start = -1);
  Real y1, y2(start = -1) "the variables of the original problem";
equation
  u = sin(time);
  der(u) + v = 0;
  u = y1 + eta*time*y2;
  v = y2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Lecture101Decoupled;
