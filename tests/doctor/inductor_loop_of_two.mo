// Two inductors in series with a source of current: both currents are prescribed, and the voltage follows from their rates.
// expects: index 2, 0 degrees of freedom
model InductorLoopOfTwo
  Real i1, i2, u1, u2, u;
  Real wrong[3] = {i1 - sin(time), u - 3*cos(time), u1 - cos(time)};
equation
  i1 = sin(time);
  i2 = i1;
  u1 = der(i1);
  u2 = 2*der(i2);
  u = u1 + u2;
end InductorLoopOfTwo;
