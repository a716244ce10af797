model Friction "it slips if friction is too strong, and then it is weak"
  Real x(start = 0, fixed = true), v(start = 0.2), f;
  Boolean stuck(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = -x + f;
  stuck = if pre(stuck) then f <= 1.5 else v >= 0.2;
  if stuck then
    v = 0.2;
  else
    f = 1;
  end if;
  annotation(experiment(StopTime = 40));
end Friction;
