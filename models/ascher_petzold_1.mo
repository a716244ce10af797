// A constraint that turns rapidly: x' = A x + B y + q, 0 = C x + r with A = -I, C = (sin nu t, cos nu t), B = C^T.
// The motion along the constraint is u' = -u, as calm as can be; only the constraint turns. With nu = 1000 and steps of
// 0.01 Baumgarte stabilization fails for every reasonable gamma, the direct discretization is accurate.
//
// Index 2, one state (x1). Exact solution for every nu: x1 = x2 = exp(t), y = -exp(t)/(2 - t).
//
// Source: U. M. Ascher and L. R. Petzold, Stability of computational methods for constrained dynamics systems,
// SIAM J. Sci. Comput. 14 (1993) 95-120, Example 1.
model AscherPetzold1 "A rapidly turning constraint"
  parameter Real nu = 10 "angular velocity of the constraint; 1000 in the source";
  Real x1(start = 1, fixed = true), x2(start = 1);
  Real y(start = -0.5);
equation
  der(x1) = -x1 + sin(nu*time)*y + exp(time)*(2 + sin(nu*time)/(2 - time));
  der(x2) = -x2 + cos(nu*time)*y + exp(time)*(2 + cos(nu*time)/(2 - time));
  sin(nu*time)*x1 + cos(nu*time)*x2 - (sin(nu*time) + cos(nu*time))*exp(time) = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end AscherPetzold1;
