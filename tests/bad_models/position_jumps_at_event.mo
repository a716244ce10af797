// At the event y would have to move by 1 at once, and its velocity would be infinite.
model Stairs
  Real x(start = 0.5), y(start = 2), F;
equation
  der(der(x)) = F;
  der(der(y)) = F - 9.81;
  y = floor(4*x);
end Stairs;
