model ChainOfBalls "n equal elastic balls on a line: two that meet exchange their speeds"
  parameter Integer n = 6;
  Real x[n](each unit = "m", start = {0, 1.1, 1.9, 3.2, 4.1, 5.3}, each fixed = true);
  Real v[n](each unit = "m/s", start = {1.7, 0.4, 0.9, -0.3, -1.1, -0.6}, each fixed = true);
  Integer impacts(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = zeros(n);
  for k in 1:n - 1 loop
    when x[k + 1] < x[k] then
      reinit(v[k], v[k + 1]);
      reinit(v[k + 1], v[k]);
    end when;
  end for;
  when {x[k + 1] < x[k] for k in 1:n - 1} then
    impacts = pre(impacts) + 1;
  end when;
  annotation(experiment(StopTime = 6));
end ChainOfBalls;
