// The model is not ended.
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
