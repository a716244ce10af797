// Two equations of motion with one and the same combination of accelerations: twice a hidden constraint.
// expects: index 3, 0 degrees of freedom
model SecondDerivatives
  Real x, y;
  Real wrong[2] = {x - cos(time), y - 2*cos(time)};
equation
  der(der(x)) - der(der(y)) + x = 2*cos(time);
  2*der(der(x)) - 2*der(der(y)) + x + y = 5*cos(time);
end SecondDerivatives;
