// Only the rate of y occurs: y itself is free by a constant, which its start gives.
// expects: index 1, 2 degrees of freedom
model UnknownOnlyInItsDerivative
  Real x(start = 1, fixed = true), y(start = 3, fixed = true), f;
  Real wrong = y - (4 - exp(-time));
equation
  der(x) = -x;
  der(y) = f;
  f = x;
end UnknownOnlyInItsDerivative;
