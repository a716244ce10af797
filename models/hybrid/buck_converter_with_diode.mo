model BuckConverterWithDiode "a switch with constant duty cycle and an ideal diode feed an inductor"
  parameter Real Vin(unit = "V") = 24, L(unit = "H") = 1e-3, C(unit = "F") = 1e-4, R(unit = "Ohm") = 5;
  parameter Real T(unit = "s") = 1e-4 "period", D = 0.5 "duty cycle";
  Real i(unit = "A", start = 0, fixed = true) "of the inductor", v(unit = "V", start = 0, fixed = true) "of the load";
  Real u(unit = "V") "at the diode", s, vd(unit = "V"), id(unit = "A"), closed_switch(unit = "A") "its current";
  Integer period;
  Boolean on, off;
equation
  period = integer(floor(time/T));
  on = time < (period + D)*T;
  off = s < 0;
  vd = -u;
  vd = s*(if off then 1 else 0);
  id = s*(if off then 0 else 1);
  i = closed_switch + id;
  if on then
    u = Vin;
  else
    closed_switch = 0;
  end if;
  L*der(i) = u - v;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 1e-2));
end BuckConverterWithDiode;
