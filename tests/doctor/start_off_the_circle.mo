// The start does not lie on the constraint: y moves, and x, which was written first, does not.
// expects: index 3, 2 degrees of freedom
// expects start: level x: 1 of 2 free
// expects start: moved y = -1 -> -0.8
// expects start: missing x = 0.6
// expects start: missing der(x) = 0
// expects start: fix y(start = -0.8)
// expects start: fix holds
model StartOffTheCircle
  Real x(start = 0.6), y(start = -1), lambda;
  Real wrong[2] = {(der(x)^2 + der(y)^2)/2/9.81 + y + 0.8, x^2 + y^2 - 1};
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end StartOffTheCircle;
