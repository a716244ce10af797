// No number is above 2 and below 1.
model Decay
  Real x(start = 1, fixed = true, min = 2, max = 1);
equation
  der(x) = -x;
end Decay;
