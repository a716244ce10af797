// A million million output points.
model Fine
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(Interval = 1e-12));
end Fine;
