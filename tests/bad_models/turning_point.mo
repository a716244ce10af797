// The algebraic equation x^2 = 1 - t has no solution after t = 1.
model Turning
  Real x(start = 1), s(start = 0, fixed = true);
equation
  x^2 = 1 - s;
  der(s) = 1;
  annotation(experiment(StopTime = 2));
end Turning;
