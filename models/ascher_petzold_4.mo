// The rapidly turning constraint in mechanical form: p' = v, v' = -nu^2 v + q - C^T lambda, 0 = C p + r with
// C = (sin nu t, cos nu t). A multiplier that pulls velocities back along C^T alone leaves a large error in them.
//
// Index 3, two states (p1, v1). Exact solution for every nu: p1 = p2 = v1 = v2 = exp(t), lambda = exp(t)/(2 - t).
//
// Source: U. M. Ascher and L. R. Petzold, Stability of computational methods for constrained dynamics systems,
// SIAM J. Sci. Comput. 14 (1993) 95-120, Example 4.
model AscherPetzold4 "A rapidly turning constraint on a damped mass"
  parameter Real nu = 10 "angular velocity of the constraint; 1 and 100 in the source";
  Real p1(start = 1, fixed = true), p2(start = 1) "positions";
  Real v1(start = 1, fixed = true), v2(start = 1) "velocities";
  Real lambda(start = 0.5);
equation
  der(p1) = v1;
  der(p2) = v2;
  der(v1) = -nu^2*v1 + exp(time)*(1 + nu^2 + sin(nu*time)/(2 - time)) - sin(nu*time)*lambda;
  der(v2) = -nu^2*v2 + exp(time)*(1 + nu^2 + cos(nu*time)/(2 - time)) - cos(nu*time)*lambda;
  sin(nu*time)*p1 + cos(nu*time)*p2 - (sin(nu*time) + cos(nu*time))*exp(time) = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end AscherPetzold4;
