// No number of digits at all.
model Sloppy
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(Tolerance = 1e10));
end Sloppy;
