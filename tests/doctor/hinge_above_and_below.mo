// A bar on two pins in one line with its length: one pin too many in one direction.
// expects: index 3, 0 degrees of freedom
// expects: wherever the others do
model HingeAboveAndBelow
  Real x(start = 0), y(start = 1), l1, l2, l3;
  Real wrong[2] = {x, y - 1};
equation
  der(der(x)) = -l1*2*x - l2;
  der(der(y)) = -9.81 - l1*2*y - l3;
  x^2 + y^2 = 1;
  x = 0;
  y = 1;
end HingeAboveAndBelow;
