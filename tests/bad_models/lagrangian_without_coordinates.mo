model LagrangianWithoutCoordinates
  Real x(start = 1, fixed = true);
  annotation(__Driftless(lagrangian = der(x)^2/2 - x^2/2));
end LagrangianWithoutCoordinates;
