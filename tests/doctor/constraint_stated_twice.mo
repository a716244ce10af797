// The rod keeps its length, said twice: the motion is that of the pendulum, and the two forces share the load.
// expects: index 3, 2 degrees of freedom
// expects: not unique, and taken as small as possible: lambda1, lambda2
model ConstraintStatedTwice
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), lambda1, lambda2;
  Real wrong[3] = {lambda2 - 2*lambda1, x^2 + y^2 - 1, ((vx^2 + vy^2)/2 + 9.81*y)/9.81};
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda1*x - 2*lambda2*x;
  der(vy) = -lambda1*y - 2*lambda2*y - 9.81;
  x^2 + y^2 = 1;
  2*x^2 + 2*y^2 = 2;
end ConstraintStatedTwice;
