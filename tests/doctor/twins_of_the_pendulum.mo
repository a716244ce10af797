// Sum and difference of the equations of a pendulum: the structure sees as much as before.
// expects: index 3, 2 degrees of freedom
model TwinsOfThePendulum
  Real x(start = 1), y(start = 0), lambda;
  Real wrong[2] = {(der(x)^2 + der(y)^2)/2/9.81 + y, x^2 + y^2 - 1};
equation
  der(der(x)) + der(der(y)) = -lambda*(x + y) - 9.81;
  der(der(x)) - der(der(y)) = -lambda*(x - y) + 9.81;
  x^2 + y^2 = 1;
end TwinsOfThePendulum;
