model BoundaryTwoPositions
  Real x(start = 0.6);
  Real y(start = -0.8);
  Real lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(__Driftless(finalEquations = {x == -0.6, y == -0.8}));
end BoundaryTwoPositions;
