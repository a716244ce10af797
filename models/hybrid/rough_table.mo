model RoughTable "a body on a table, pushed to and fro: friction with the modes of the Modelica Standard Library"
  constant Integer Forward = 1, Stuck = 0, Backward = -1;
  parameter Real m(unit = "kg") = 1, F(unit = "N") = 2, f0(unit = "N") = 1 "friction while it slides";
  parameter Real f0_max(unit = "N") = 1.5 "largest friction while it is stuck";
  Real x(unit = "m", start = 0, fixed = true), v(unit = "m/s", start = 0, fixed = true), a(unit = "m/s2");
  Real f(unit = "N") "friction", sa "what friction must do while stuck, acceleration while sliding";
  Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true), locked(start = false);
  Integer mode(min = -1, max = 1, start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = a;
  m*a = F*sin(time) - f;
  startForward = pre(mode) == Stuck and (sa > f0_max or pre(startForward) and sa > f0);
  startBackward = pre(mode) == Stuck and (sa < -f0_max or pre(startBackward) and sa < -f0);
  locked = not (pre(mode) == Forward or startForward or pre(mode) == Backward or startBackward);
  a = if locked then 0 else if pre(mode) == Forward or startForward then sa - f0 else sa + f0;
  f = if locked then sa else if pre(mode) == Forward or startForward then f0 else -f0;
  mode = if (pre(mode) == Forward or startForward) and v > 0 then Forward
    else if (pre(mode) == Backward or startBackward) and v < 0 then Backward else Stuck;
  annotation(experiment(StopTime = 12));
end RoughTable;
