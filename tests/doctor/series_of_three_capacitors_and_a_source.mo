// Three capacitors in series across a source share its voltage: two states.
// expects: index 2, 2 degrees of freedom
model SeriesOfThreeCapacitorsAndASource
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c, i, g;
  Real wrong[2] = {a + b + c - sin(time), a - b};
equation
  der(a) = i;
  der(b) = i;
  2*der(c) = i - g;
  g = c;
  a + b + c = sin(time);
end SeriesOfThreeCapacitorsAndASource;
