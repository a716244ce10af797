// A pole.
model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = 1/(x - 0.3);
  annotation(experiment(StopTime = 1));
end M;
