model LagrangianMassForgotten
  parameter Real g = 9.81, L = 1;
  Real x(start = 1), y(start = -1, fixed = true);
  annotation(__Driftless(lagrangian = der(x)^2/2 - g*y,
                         coordinates = {x, y},
                         constraints = {x^2 + y^2 == 2*L^2}));
end LagrangianMassForgotten;
