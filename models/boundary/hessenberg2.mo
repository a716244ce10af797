// A nonlinear boundary value problem of Hessenberg index 2 with a known solution: with theta = sin(t) it is
// x1 = cos(theta), x2 = sin(theta), x3 = cos(t), z = 1 + t^2. Orders of convergence are measured with it.
model Hessenberg2 "A point that is held on a circle, with conditions at both ends"
  Real x1(start = 1), x2(start = 0, fixed = true), x3(start = 1), z(start = 1);
equation
  der(x1) = -x2*x3 + x1*(x3 - cos(time)) + 2*x1*(z - 1 - time^2);
  der(x2) = x1*x3 + x2*(x3 - cos(time)) + 2*x2*(z - 1 - time^2);
  der(x3) = -atan2(x2, x1);
  x1^2 + x2^2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8), __Driftless(finalEquations = {x3 == cos(1)}));
end Hessenberg2;
