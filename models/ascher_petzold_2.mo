// A large B and a slow C: x' = B y + q, 0 = C x + r with B = ((2 - t) nu, nu - 1)^T, C = (t + 2, t^2 - 4).
// The motion along the constraint is stiff, u' = -nu/(2 - t) u. The direct discretization by the implicit Euler method
// multiplies errors by 1 - h nu/(2 - t), like the explicit one: it needs h nu < 2.
//
// Index 2, one state (x1). Exact solution for every nu: x1 = x2 = exp(t), y = -exp(t)/(2 - t).
//
// Source: U. M. Ascher and L. R. Petzold, Stability of computational methods for constrained dynamics systems,
// SIAM J. Sci. Comput. 14 (1993) 95-120, Example 2.
model AscherPetzold2 "A stiff motion along a slowly turning constraint"
  parameter Real nu = 1000 "stiffness of the motion along the constraint";
  Real x1(start = 1, fixed = true), x2(start = 1);
  Real y(start = -0.5);
equation
  der(x1) = (2 - time)*nu*y + exp(time)*(1 + nu);
  der(x2) = (nu - 1)*y + exp(time)*(1 + (nu - 1)/(2 - time));
  (time + 2)*x1 + (time^2 - 4)*x2 - (time^2 + time - 2)*exp(time) = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end AscherPetzold2;
