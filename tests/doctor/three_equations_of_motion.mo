// Accelerations of three bodies on a weightless lever: two equations have the same combination of them, times 3.
// expects: index 2, 4 degrees of freedom
model ThreeEquationsOfMotion
  Real x, y, z;
  Real wrong[2] = {x + y - z - cos(time), x - y - sin(time)};
initial equation
  x - y = 0;
  der(x) - der(y) = 1;
equation
  der(der(x)) + der(der(y)) + der(der(z)) = -cos(time) + x + y - z;
  3*der(der(x)) + 3*der(der(y)) + 3*der(der(z)) = 0;
  der(der(x)) - der(der(y)) = y - x;
end ThreeEquationsOfMotion;
