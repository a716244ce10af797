// Units far apart in one block: the rank is decided by rounding errors and not by size.
// expects: index 2, 1 degree of freedom
model SmallCapacityAndLargeResistance
  Real v1(start = 1, fixed = true), v2, i1(nominal = 1e-9), i2(nominal = 1e-9);
  Real wrong = v1 - exp(-time/2);
equation
  1e-9*der(v1) = -i1;
  1e-9*der(v2) = -i2;
  v1 = v2;
  i1 + i2 = 1e-9*v1;
end SmallCapacityAndLargeResistance;
