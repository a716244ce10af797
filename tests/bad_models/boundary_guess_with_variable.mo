model BoundaryGuessWithVariable
  Real x(start = 0, fixed = true), v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(finalEquations = {x == 1}, guess(v = x)));
end BoundaryGuessWithVariable;
