// Two capacitors in parallel behind a resistor: one state, not two.
// expects: index 2, 1 degree of freedom
model CapacitorsInParallel
  Real v1(start = 0, fixed = true), v2, i1, i2;
  Real wrong = v1 - (1 - exp(-time/3));
equation
  der(v1) = i1;
  2*der(v2) = i2;
  v1 = v2;
  i1 + i2 = 1 - v1;
end CapacitorsInParallel;
