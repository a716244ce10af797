// Three inductors and no other branch in a node: the sum of the equations has no derivative once the node's is used.
// expects: index 2, 2 degrees of freedom
model InductorsInAStar
  Real i1, i2, i3, u;
  Real wrong[3] = {i1 + i2 + i3, i1 - i2 - exp(-time), i3 - exp(-time)};
initial equation
  i1 - i2 = 1;
  i3 = 1;
equation
  der(i1) = u - i1;
  der(i2) = u - i2;
  der(i3) = u - i3;
  i1 + i2 + i3 = 0;
end InductorsInAStar;
