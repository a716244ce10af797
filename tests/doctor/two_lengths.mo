// The same rod with two lengths.
// expects error: the equations line 10 and line 11 contradict each other
model TwoLengths
  Real x(start = 1), y, vx, vy, lambda1, lambda2;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda1*x - 2*lambda2*x;
  der(vy) = -lambda1*y - 2*lambda2*y - 9.81;
  x^2 + y^2 = 1;
  2*x^2 + 2*y^2 = 3;
end TwoLengths;
