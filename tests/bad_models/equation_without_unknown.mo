// An equation between parameters only.
model Decay
  parameter Real a = 1, b = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
  a = b;
end Decay;
