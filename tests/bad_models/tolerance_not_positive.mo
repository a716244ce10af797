// No error at all cannot be had.
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1, Tolerance = 0));
end Decay;
