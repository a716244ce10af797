// One equation says nothing about the unknowns, so that y is left without one.
model Decay
  parameter Real a = 1, b = 2;
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -a*x;
  a + b = 3 + 0*y;
end Decay;
