// Both coordinates are fixed, off the circle; the velocity has nothing to do with it.
// expects failure: the fixed start x = 0.6 and the fixed start y = -0.7 cannot hold together
// expects start: conflict the fixed start x = 0.6
// expects start: conflict the fixed start y = -0.7
// expects start: fix fixed = true of y
// expects start: fix y(start = -0.8)
// expects start: fix holds
model StartInConflict
  Real x(start = 0.6, fixed = true), y(start = -0.7, fixed = true), lambda;
initial equation
  der(x) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end StartInConflict;
