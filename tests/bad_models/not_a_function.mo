// This is not a function.
model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -y;
  y = x(1 + x);
end M;
