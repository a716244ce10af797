// There is nothing to return from.
model Decay
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
algorithm
  y := 2*x;
  return;
end Decay;
