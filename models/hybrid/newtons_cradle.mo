model NewtonsCradle "three equal balls in a row: elastic impacts follow each other"
  parameter Real r(unit = "m") = 0.1 "diameter";
  Real x[3](each unit = "m", start = {0, 0.5, 1}, each fixed = true);
  Real v[3](each unit = "m/s", start = {1, 0, 0}, each fixed = true);
  Integer impacts(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = zeros(3);
  when x[2] - x[1] < r then
    reinit(v[1], v[2]);
    reinit(v[2], v[1]);
  end when;
  when x[3] - x[2] < r then
    reinit(v[2], v[3]);
    reinit(v[3], v[2]);
  end when;
  when {x[2] - x[1] < r, x[3] - x[2] < r} then
    impacts = pre(impacts) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end NewtonsCradle;
