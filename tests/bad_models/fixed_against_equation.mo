// The fixed value of y is not what its equation says.
model Decay
  Real x(start = 1, fixed = true), y(start = 5, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end Decay;
