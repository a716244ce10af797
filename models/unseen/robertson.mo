// Robertson's reaction with the conservation of mass in place of the third rate equation: rates that differ by nine
// orders of magnitude.
//
// Index 1, two states (y1, y2). Source: H. H. Robertson, The solution of a set of reaction rate equations, in:
// Numerical Analysis, an Introduction (ed. J. Walsh), Academic Press 1966, 178-182.
model Robertson "Three species and the conservation of mass"
  parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4;
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true, nominal = 1e-5), y3(start = 0);
equation
  der(y1) = -k1*y1 + k3*y2*y3;
  der(y2) = k1*y1 - k3*y2*y3 - k2*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 40, Tolerance = 1e-6));
end Robertson;
