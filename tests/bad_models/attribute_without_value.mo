// An attribute without a value.
model M
  Real x(start = 1, fixed);
equation
  der(x) = -x;
end M;
