// The same without any state: the curve ends at t = 1.
model Turning
  Real x(start = 1);
equation
  x^2 = 1 - time;
  annotation(experiment(StopTime = 2));
end Turning;
