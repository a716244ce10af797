// Both voltages of two capacitors in parallel are fixed, differently.
// expects failure: the fixed start v1 = 0 and the fixed start v2 = 1 cannot hold together
// expects start: conflict the fixed start v1 = 0
// expects start: conflict the fixed start v2 = 1
// expects start: fix holds
model CapacitorsInParallelBothFixed
  Real v1(start = 0, fixed = true), v2(start = 1, fixed = true), i1, i2;
equation
  der(v1) = i1;
  2*der(v2) = i2;
  v1 = v2;
  i1 + i2 = 1 - v1;
end CapacitorsInParallelBothFixed;
