// The problem of ../index1_quadratic.mo after the differentiation of its algebraic equation by hand: the same solution, but
// the frozen Jacobian has the eigenvalues +-sqrt(2 a cos t), which an integrator has to resolve.
//
// Index 0, two states. Exact solution: with eps = y(0) - a x(0)^2, x = x(0) + sin t + eps t and y = eps + a x^2.
//
// Source: C. Fuhrer and B. Leimkuhler, Numerical solution of differential-algebraic equations for constrained mechanical
// motion, Numer. Math. 59 (1991) 55-69, Example 2.1, equation (11).
model Index1QuadraticDifferentiated "A harmful differentiation"
  parameter Real a = 200;
  Real x(start = 1, fixed = true), y(start = 200, fixed = true);
equation
  der(x) = y - a*x^2 + cos(time);
  der(y) = 2*a*x*(y - a*x^2 + cos(time));
  annotation(experiment(StopTime = 31.41592653589793, Tolerance = 1e-6));
end Index1QuadraticDifferentiated;
