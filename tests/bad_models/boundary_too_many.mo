model BoundaryTooMany
  Real x(start = 0.6, fixed = true);
  Real y(start = -0.8);
  Real lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(__Driftless(finalEquations = {x == -0.6, der(x) == 0}));
end BoundaryTooMany;
