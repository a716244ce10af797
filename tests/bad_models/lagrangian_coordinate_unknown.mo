model LagrangianCoordinateUnknown
  parameter Real g = 9.81, L = 1;
  Real phi(start = 1, fixed = true);
initial equation
  der(phi) = 0;
  annotation(__Driftless(lagrangian = L^2*der(phi)^2/2 + g*L*cos(phi), coordinates = {ph}));
end LagrangianCoordinateUnknown;
