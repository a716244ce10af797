// An expression has no value at the start.
model M
  Real x(start = -1, fixed = true), y;
equation
  der(x) = 1;
  y^3 + y = log(x);
end M;
