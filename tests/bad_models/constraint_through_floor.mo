// The constraint must be differentiated twice, but floor jumps, and without an event.
model Stairs
  Real x(start = 0.5), y(start = 0), F;
equation
  der(der(x)) = F;
  der(der(y)) = F - 9.81;
  y = noEvent(floor(4*x));
end Stairs;
