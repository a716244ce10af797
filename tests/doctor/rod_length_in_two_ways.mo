// The length of a rod, and its square: the same where one of them holds, but no multiple of each other.
// expects: index 3, 2 degrees of freedom
// expects: line 13 is left out: it holds wherever the others do
model RodLengthInTwoWays
  Real x(start = 1), y(start = 0), vx, vy, l1, l2;
  Real wrong[2] = {((vx^2 + vy^2)/2 + 9.81*y)/9.81, x*vx + y*vy};
equation
  vx = der(x);
  vy = der(y);
  der(vx) = -l1*x - l2*x/sqrt(x^2 + y^2);
  der(vy) = -9.81 - l1*y - l2*y/sqrt(x^2 + y^2);
  x^2 + y^2 = 1;
  sqrt(x^2 + y^2) = 1;
end RodLengthInTwoWays;
