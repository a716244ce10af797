// A number is too large.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/1e400;
end M;
