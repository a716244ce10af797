// The bars are too short to close the loop.
// expects failure: the equations have no solution at the start
// expects start: violated line
model FourBarWithWrongLengths
  Real a(start = 1), b(start = 0.3), c(start = 1.2), lx, ly;
equation
  der(der(a)) = -lx*sin(a) + ly*cos(a);
  der(der(b)) = -lx*sin(b) + ly*cos(b);
  der(der(c)) = lx*sin(c) - ly*cos(c);
  cos(a) + cos(b) - cos(c) = 9;
  sin(a) + sin(b) - sin(c) = 0;
end FourBarWithWrongLengths;
