// The value before an event is kept for discrete variables.
model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = pre(x);
end M;
