// Nothing says on which side the mass hangs.
// expects: index 3, 2 degrees of freedom
// expects start: branch y =
model TwoBranches
  Real x(start = 0.6, fixed = true), y, lambda;
  Real wrong = x^2 + y^2 - 1;
initial equation
  der(x) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end TwoBranches;
