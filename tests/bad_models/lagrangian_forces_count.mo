model LagrangianForcesCount
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  annotation(__Driftless(lagrangian = (der(x)^2 + der(y)^2)/2 - y, coordinates = {x, y}, forces = {-der(x)}));
end LagrangianForcesCount;
