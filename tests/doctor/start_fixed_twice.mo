// Both coordinates are fixed, and agree: one of the conditions is superfluous.
// expects: index 3, 2 degrees of freedom
// expects start: superfluous the fixed start
model StartFixedTwice
  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true), lambda;
  Real wrong = (der(x)^2 + der(y)^2)/2/9.81 + y + 0.8;
initial equation
  der(x) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end StartFixedTwice;
