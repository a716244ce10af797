within Oscillators.Examples;
model Damped "A mass on a spring with friction"
  Real s(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(s) = v;
  der(v) = -s - 0.2*v;
  annotation(experiment(StopTime = 10));
end Damped;
