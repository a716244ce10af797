// Two voltage sources in parallel that agree: the currents would be an answer, and it is not unique.
// expects error: 2 equations determine only 1 unknown: v
model TwoSourcesInParallel
  Real v, i1, i2, u(start = 0);
equation
  v = sin(time);
  v = sin(time);
  der(u) = v - u;
  i1 + i2 = v - u;
end TwoSourcesInParallel;
