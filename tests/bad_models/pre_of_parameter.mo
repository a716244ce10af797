// A parameter has no value before an event.
model M
  parameter Real p = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -pre(p)*x;
end M;
