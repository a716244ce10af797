// The same with a factor that changes in time.
// expects: index 3, 2 degrees of freedom
model MixedInTime
  Real x(start = 1), y(start = 0), lambda;
  Real wrong[2] = {(der(x)^2 + der(y)^2)/2/9.81 + y, x^2 + y^2 - 1};
equation
  der(der(x)) + lambda*x = 0;
  der(der(y)) + lambda*y + 9.81 = 0;
  x^2 + y^2 - 1 + (2 + sin(time))*(der(der(y)) + lambda*y + 9.81) = 0;
end MixedInTime;
