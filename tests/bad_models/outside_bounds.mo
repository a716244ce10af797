// A value outside of its bounds.
model M
  Real x(start = -1, fixed = true, min = 0);
equation
  der(x) = -x;
end M;
