model LagrangianCoordinateIsParameter
  parameter Real g = 9.81, L = 1;
  Real phi(start = 1, fixed = true);
  annotation(__Driftless(lagrangian = L^2*der(phi)^2/2 + g*L*cos(phi), coordinates = {phi, L}));
end LagrangianCoordinateIsParameter;
