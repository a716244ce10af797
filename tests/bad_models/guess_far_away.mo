// From this guess the way to the solution at x = 1 is closed: the function has a minimum in between.
model Far
  Real x(start = 12);
equation
  x*exp(-x) = exp(-1) + 1e-3;
end Far;
