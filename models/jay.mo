// Jay's problem: a Hessenberg system of index 3, nonlinear in the multiplier u too, made for order tests.
// Exact solution y1 = z1 = exp(2 t), y2 = z2 = exp(-t), u = exp(t).
//
// Index 3, two states. Hidden constraint: y2*z1 = y1*z2.
//
// Source: L. Jay, Convergence of Runge-Kutta methods for differential-algebraic systems of index 3,
// Appl. Numer. Math. 17 (1995) 97-118.
model Jay "Jay's index-3 problem with an exact solution"
  Real y1(start = 1, fixed = true), y2(start = 1);
  Real z1(start = 1, fixed = true), z2(start = 1);
  Real u(start = 1);
equation
  der(y1) = 2*y1*y2*z1*z2;
  der(y2) = -y1*y2*z2^2;
  der(z1) = (y1*y2 + z1*z2)*u;
  der(z2) = -y1*y2^2*z2^2*u;
  y1*y2^2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Jay;
