// A subscript that does not fit.
model M
  Real x(start = 1, fixed = true);
equation
  der(x[1]) = -x[1];
end M;
