// What does not change has no derivative worth an equation.
model Decay
  parameter Real k = 1;
  Real x;
equation
  der(k) = -x;
end Decay;
