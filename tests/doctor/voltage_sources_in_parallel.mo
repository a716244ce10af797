// Two voltage sources between the same nodes: which current flows in which cannot be told.
// expects error: at the same time i1 and i2 are not determined: do two sources fix the same quantity
model VoltageSourcesInParallel
  Real u, i1, i2, i;
equation
  u = 5;
  u = 5 + sin(time);
  u = 10*i;
  i1 + i2 = i;
end VoltageSourcesInParallel;
