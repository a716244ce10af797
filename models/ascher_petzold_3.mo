// The stiff problem in mechanical form: p' = v, M v' = E v + q - C^T lambda, 0 = C p + r with C = (1, t - 2) and a mass
// matrix M(t) such that M^-1 C^T = (2 + t) ((2 - t) nu, nu - 1)^T. The damping kappa decides how stiff the motion along
// the constraint is: u'' = (kappa - 2) (nu/(2 - t) u' + nu/(2 - t)^2 u).
//
// Index 3, two states (p1, v1). Exact solution for every nu and kappa: p1 = p2 = v1 = v2 = exp(t),
// lambda = exp(t)/(2 - t).
//
// Source: U. M. Ascher and L. R. Petzold, Stability of computational methods for constrained dynamics systems,
// SIAM J. Sci. Comput. 14 (1993) 95-120, Example 3.
model AscherPetzold3 "A linear mechanical model with a varying mass matrix"
  parameter Real nu = 100 "size of the inverse mass matrix";
  parameter Real kappa = 1 "damping: 1 and 0 stiff, 2 not stiff";
  Real p1(start = 1, fixed = true), p2(start = 1) "positions";
  Real v1(start = 1, fixed = true), v2(start = 1) "velocities";
  Real lambda(start = 0.5);
  Real M11, M12, M22 "mass matrix", E22 "damping", q1, q2 "forces";
equation
  M11 = (nu^2 + (nu - 1)^2)/(2 - time)/((2 + time)*nu^2);
  M12 = -(2*nu - 1)/((2 + time)*nu);
  M22 = 2*(2 - time)/(2 + time);
  E22 = kappa/((2 + time)*nu);
  q1 = exp(time)*(M11 + M12 + 1/(2 - time));
  q2 = exp(time)*(M12 + M22 - E22 - 1);
  der(p1) = v1;
  der(p2) = v2;
  M11*der(v1) + M12*der(v2) = q1 - lambda;
  M12*der(v1) + M22*der(v2) = E22*v2 + q2 - (time - 2)*lambda;
  p1 + (time - 2)*p2 + (1 - time)*exp(time) = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end AscherPetzold3;
