model Relay "a relay without hysteresis: the solution slides along x + y = 0 (run with --sliding)"
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);
  Boolean above = x + y > 0;
equation
  der(x) = y;
  der(y) = if above then -2 else 2;
  annotation(experiment(StopTime = 3));
end Relay;
