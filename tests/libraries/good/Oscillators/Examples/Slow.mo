within Oscillators.Examples;
model Slow
  extends Damped;
  annotation(experiment(StartTime = -1, StopTime = 2*60, Tolerance = 1e-8, Interval = 0.01));
end Slow;
