// A start value must be known before the run.
model Decay
  Real y;
  Real x(start = 2*y, fixed = true);
equation
  der(x) = -x;
  y = time;
end Decay;
