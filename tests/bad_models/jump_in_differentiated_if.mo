// The derivative of x is needed, but x jumps without an event.
model Step
  Real x, y, z(start = 0, fixed = true);
equation
  x = noEvent(if time < 0.5 then 0 else 1);
  y = der(x);
  der(z) = y;
end Step;
