model Tank "Water runs from one tank into another through a pipe"
  parameter Real A(unit = "m2") = 1 "area of each tank";
  parameter Real k(unit = "m2/s") = 0.2 "conductance of the pipe";
  Real h1(unit = "m", start = 2, fixed = true) "level in the first tank";
  Real h2(unit = "m", start = 0, fixed = true) "level in the second tank";
  Real q(unit = "m3/s") "flow through the pipe";
equation
  A*der(h1) = -q;
  A*der(h2) = q;
  q = k*(h1 - h2);
  annotation(experiment(StopTime = 10));
end Tank;
