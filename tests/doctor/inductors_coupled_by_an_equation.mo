// Two inductors whose voltages are given by one and the same flux: the coupling is implicit.
// expects: index 1, 1 degree of freedom
model InductorsCoupledByAnEquation
  Real i1, i2, u1, u2;
  Real wrong[2] = {i1 - 2*i2, i1 - 2*exp(-time/2)};
initial equation
  i1 + i2 = 3;
equation
  der(i1) + 2*der(i2) = u1;
  2*der(i1) + 4*der(i2) = u2;
  u1 = -i1;
  u2 = -4*i2;
end InductorsCoupledByAnEquation;
