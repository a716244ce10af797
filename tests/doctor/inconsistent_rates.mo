// Two sums of rates that differ by a function of time.
// expects error: contradict each other
// expects error: is left
model InconsistentRates
  Real x, y, z;
equation
  der(x) + der(y) + z = sin(time);
  3*der(x) + 3*der(y) + 3*z = 3*cos(time);
  der(x) - der(y) = z;
end InconsistentRates;
