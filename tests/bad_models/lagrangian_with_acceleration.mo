model LagrangianWithAcceleration
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  annotation(__Driftless(lagrangian = x*der(der(x))/2 - k*x^2/2, coordinates = {x}));
end LagrangianWithAcceleration;
