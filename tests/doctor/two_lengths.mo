// The same rod with two lengths.
// expects error: the equations line 11 and line 12 contradict each other
// expects error: are there more constraints than coordinates
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
