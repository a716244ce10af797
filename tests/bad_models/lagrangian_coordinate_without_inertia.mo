model LagrangianCoordinateWithoutInertia
  Real x(start = 1, fixed = true), y(start = 0);
  annotation(__Driftless(lagrangian = der(x)^2/2 - x^2/2, coordinates = {x, y}));
end LagrangianCoordinateWithoutInertia;
