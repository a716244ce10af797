model LagrangianConstraintWithoutCoordinate
  parameter Real L = 1;
  Real x(start = 1), y(start = 0, fixed = true);
  annotation(__Driftless(lagrangian = (der(x)^2 + der(y)^2)/2 - y,
                         coordinates = {x, y},
                         constraints = {x^2 + y^2 == L^2, L == 1}));
end LagrangianConstraintWithoutCoordinate;
