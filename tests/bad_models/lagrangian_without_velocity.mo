model LagrangianWithoutVelocity
  parameter Real g = 9.81, L = 1;
  Real x(start = 1), y(start = 0, fixed = true);
  annotation(__Driftless(lagrangian = -g*y, coordinates = {x, y}, constraints = {x^2 + y^2 == L^2}));
end LagrangianWithoutVelocity;
