// The fixed coordinate is longer than the rod: no start can satisfy both.
// expects failure: the fixed start x = 2 contradicts the equations
// expects start: conflict the fixed start x = 2
// expects start: fix fixed = true of x
model RodTooShort
  Real x(start = 2, fixed = true), y(start = 0), lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end RodTooShort;
