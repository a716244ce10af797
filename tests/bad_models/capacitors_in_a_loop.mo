// Two capacitors in parallel have one voltage: only one of them can be chosen.
model CapacitorsInALoop
  Real u1(start = 1, fixed = true), u2(start = 2, fixed = true), i1, i2;
equation
  2*der(u1) = i1;
  3*der(u2) = i2;
  u1 = u2;
  i1 + i2 = -u1/10;
end CapacitorsInALoop;
