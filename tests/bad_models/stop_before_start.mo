// The run ends before it begins.
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StartTime = 10, StopTime = 1));
end Decay;
