model LagrangianOfDependentVariable
  parameter Real g = 9.81, L = 1;
  Real phi(start = 1, fixed = true), height;
equation
  height = -L*cos(phi);
  annotation(__Driftless(lagrangian = L^2*der(phi)^2/2 - g*height, coordinates = {phi}));
end LagrangianOfDependentVariable;
