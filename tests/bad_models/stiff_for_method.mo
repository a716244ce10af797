// The mode exp(-1e7 t) decays at once, but bounds the steps of explicit methods for ever.
model Stiff
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e7*(x - cos(time));
  annotation(experiment(StopTime = 100));
end Stiff;
