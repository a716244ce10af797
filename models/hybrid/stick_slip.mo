model StickSlip "a mass on a belt, held by a spring: it sticks until the spring is stronger than friction, and slips back"
  parameter Real m(unit = "kg") = 1, k(unit = "N/m") = 1, belt(unit = "m/s") = 0.2;
  parameter Real Fs(unit = "N") = 1.5 "largest friction while it sticks", Fk(unit = "N") = 1 "friction while it slips";
  Real x(unit = "m", start = 0, fixed = true), v(unit = "m/s", start = 0.2), f(unit = "N") "friction";
  Boolean stuck(start = true, fixed = true);
equation
  der(x) = v;
  m*der(v) = -k*x + f;
  stuck = if pre(stuck) then f <= Fs else v >= belt;
  if pre(stuck) then
    v = belt;
  else
    f = Fk;
  end if;
  annotation(experiment(StopTime = 40));
end StickSlip;
