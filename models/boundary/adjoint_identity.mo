// y' = A(t) y + f from y = 0 at the start, and the adjoint equation v' = -A(t)' v - g with v = 0 at the end: the
// integrals of g'y and of v'f are the same.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, Exercise 7.
model AdjointIdentity "A linear equation, its adjoint, and two integrals that agree"
  Real y1(start = 0, fixed = true), y2(start = 0, fixed = true);
  Real v1, v2 "adjoint variables";
  Real of_gy(start = 0, fixed = true) "integral of g'y";
  Real of_vf(start = 0, fixed = true) "integral of v'f";
protected
  Real a11 = -1, a12 = sin(3*time), a21 = 2, a22 = cos(time);
  Real f1 = exp(-time), f2 = 1 + time, g1 = cos(2*time), g2 = time^2;
equation
  der(y1) = a11*y1 + a12*y2 + f1;
  der(y2) = a21*y1 + a22*y2 + f2;
  der(v1) = -a11*v1 - a21*v2 - g1;
  der(v2) = -a12*v1 - a22*v2 - g2;
  der(of_gy) = g1*y1 + g2*y2;
  der(of_vf) = v1*f1 + v2*f2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8), __Driftless(finalEquations = {v1 == 0, v2 == 0}));
end AdjointIdentity;
