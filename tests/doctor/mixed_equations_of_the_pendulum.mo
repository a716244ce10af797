// To the constraint of a pendulum its first equation of motion was added: the structure sees no constraint.
// expects: index 3, 2 degrees of freedom
model MixedEquationsOfThePendulum
  Real x(start = 1), y(start = 0), lambda;
  Real wrong[2] = {(der(x)^2 + der(y)^2)/2/9.81 + y, x^2 + y^2 - 1};
equation
  der(der(x)) + lambda*x = 0;
  der(der(y)) + lambda*y + 9.81 = 0;
  x^2 + y^2 - 1 + der(der(x)) + lambda*x = 0;
end MixedEquationsOfThePendulum;
