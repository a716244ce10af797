// Linear-quadratic control in one dimension: minimize the integral of (c y^2 + d u^2)/2 along y' = a y + b u from a
// given start. The necessary conditions are a boundary value problem of index 1, since d > 0. The costate is v = P y,
// where P solves the Riccati equation P' = -2 a P + b^2/d P^2 - c backwards from P = 0 at the end.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, Exercise 8 (1.52).
model LqScalar "Linear-quadratic control of one state, index 1"
  parameter Real a = 0.5, b = 1, c = 2, d = 0.5;
  Real y(start = 1, fixed = true) "state";
  Real v "costate";
  Real u "control";
equation
  der(y) = a*y + b*u;
  der(v) = -a*v - c*y;
  0 = b*v + d*u;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8), __Driftless(finalEquations = {v == 0}));
end LqScalar;
