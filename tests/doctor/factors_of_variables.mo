// The combination has factors that depend on the unknowns.
// expects: index 1, 1 degree of freedom
model FactorsOfVariables
  Real x, y(start = 1, fixed = true);
  Real wrong[2] = {x - exp(time), y - exp(-time)};
equation
  y*der(x) + x*der(y) = 0;
  y^2*der(x) + x*y*der(y) + x = exp(time);
end FactorsOfVariables;
