// x = 1/(1 - t): the solution ends at t = 1.
model Pole
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end Pole;
