// The constraint is differentiated, but its sign jumps when x passes 0 at t = 0.1.
model Valve
  Real x(start = 1, fixed = true), y, F;
equation
  der(x) = F - 5;
  der(y) = 2*F;
  y = x + sign(x);
end Valve;
