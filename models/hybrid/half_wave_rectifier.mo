model HalfWaveRectifier "an ideal diode, a resistor and an inductor: the current ends some time after the voltage has changed its sign"
  parameter Real R(unit = "Ohm") = 1, L(unit = "H") = 1;
  Real i(unit = "A", start = 0, fixed = true), v(unit = "V"), vd(unit = "V"), s;
  Boolean off;
equation
  v = sin(time);
  off = s < 0;
  vd = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
  v = vd + R*i + L*der(i);
  annotation(experiment(StopTime = 20));
end HalfWaveRectifier;
