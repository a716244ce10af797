model Contact "a mass that a swinging force presses against a stop and lifts off it: gap >= 0, force >= 0"
  parameter Real m(unit = "kg") = 1;
  Real x(unit = "m", start = 1, fixed = true) "gap", v(unit = "m/s", start = 0, fixed = true);
  Real f(unit = "N") "force of the stop";
  Boolean closed(start = false, fixed = true);
equation
  der(x) = v;
  m*der(v) = 4*sin(time) - 2 + f;
  closed = if pre(closed) then f >= 0 else x <= 0;
  if closed then
    x = 0;
  else
    f = 0;
  end if;
  annotation(experiment(StopTime = 12));
end Contact;
