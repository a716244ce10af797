// An equation states equality: it does not assign.
model Decay
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y := 2*x;
end Decay;
