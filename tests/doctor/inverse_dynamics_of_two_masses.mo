// The second of two masses on a spring is to follow a path: the force on the first needs four derivatives of it.
// expects: index 5, 0 degrees of freedom
model InverseDynamicsOfTwoMasses
  Real x, y, f;
  Real wrong[2] = {x - (1 - 0.25)*sin(time), f - (-(1 - 0.25)*sin(time) + 4*((1 - 0.25)*sin(time) - sin(time)))};
equation
  der(der(x)) = f - 4*(x - y);
  der(der(y)) = 4*(x - y);
  y = sin(time);
end InverseDynamicsOfTwoMasses;
