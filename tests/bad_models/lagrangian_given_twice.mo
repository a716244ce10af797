model LagrangianGivenTwice
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  annotation(__Driftless(lagrangian = der(x)^2/2 - x^2/2, coordinates = {x}, coordinates = {y}));
end LagrangianGivenTwice;
