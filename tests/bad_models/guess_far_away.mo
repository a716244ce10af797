// The solutions are x = -0.83 and x = 0.83, but at the start value the left side is 0 with a slope of 0: nothing shows the way.
model Far
  Real x(start = 20);
equation
  exp(-x^2) = 0.5;
end Far;
