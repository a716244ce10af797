// A parenthesis is opened and not closed.
model Decay
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*(x - 1;
end Decay;
