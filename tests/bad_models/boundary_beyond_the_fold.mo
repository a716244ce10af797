// Bratu's problem has no solution for lambda > 3.5138.
model BoundaryBeyondTheFold
  Real y(start = 0, fixed = true);
equation
  der(der(y)) = -4*exp(y);
  annotation(__Driftless(finalEquations = {y == 0}));
end BoundaryBeyondTheFold;
