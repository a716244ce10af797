// A sign behind an operator.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 2*-x;
end M;
