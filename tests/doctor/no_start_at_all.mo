// No number squares to -1.
// expects failure: the equations have no solution at the start
// expects start: violated line 8
model NoStartAtAll
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x + z;
  z^2 + 1 + x^2 = 0;
end NoStartAtAll;
