model LagrangianEquationWrittenToo
  Real x(start = 1, fixed = true);
equation
  der(der(x)) = -x;
  annotation(__Driftless(lagrangian = der(x)^2/2 - x^2/2, coordinates = {x}));
end LagrangianEquationWrittenToo;
