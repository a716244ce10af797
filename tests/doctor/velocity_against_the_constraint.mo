// A velocity away from the circle.
// expects failure: no start was found at which
// expects start: conflict initial equation
model VelocityAgainstTheConstraint
  Real x(start = 1, fixed = true), y(start = 0), lambda;
initial equation
  der(x) = 1;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end VelocityAgainstTheConstraint;
