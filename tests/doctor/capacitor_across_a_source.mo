// A loop of a capacitor and a voltage source: the voltage is given, and the current is its derivative.
// expects: index 2, 0 degrees of freedom
model CapacitorAcrossASource
  Real u, i;
  Real wrong[2] = {u - sin(time), i - 2*cos(time)};
equation
  2*der(u) = i;
  u = sin(time);
end CapacitorAcrossASource;
