// An index-1 problem that is harmless until somebody differentiates its algebraic equation (see
// traps/index1_quadratic_differentiated.mo).
//
// Index 1, one state (x). Exact solution: x = 1 + sin t, y = a x^2.
//
// Source: C. Fuhrer and B. Leimkuhler, Numerical solution of differential-algebraic equations for constrained mechanical
// motion, Numer. Math. 59 (1991) 55-69, Example 2.1.
model Index1Quadratic "A harmless index-1 problem"
  parameter Real a = 200;
  Real x(start = 1, fixed = true), y(start = 200);
equation
  der(x) = y - a*x^2 + cos(time);
  0 = y - a*x^2;
  annotation(experiment(StopTime = 31.41592653589793, Tolerance = 1e-6));
end Index1Quadratic;
