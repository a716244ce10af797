// A step-down converter whose switch is opened and closed by a clock: 1e5 events in half a second. Between them the
// equations are linear, so the exact solution is a product of matrix exponentials.
model BuckConverter "pulse width modulation at 100 kHz"
  parameter Real V(unit = "V") = 24 "input";
  parameter Real L(unit = "H") = 1e-4, C(unit = "F") = 1e-4, R(unit = "Ohm") = 2;
  parameter Real T(unit = "s") = 1e-5 "period", d = 0.4 "part of the period in which the switch is closed";
  Real i(unit = "A", start = 0, fixed = true) "through the coil";
  Real v(unit = "V", start = 0, fixed = true) "of the capacitor";
  Boolean closed(start = false, fixed = true);
equation
  L*der(i) = (if closed then V else 0) - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    closed = true;
  elsewhen sample(d*T, T) then
    closed = false;
  end when;
  annotation(experiment(StopTime = 0.5, NumberOfIntervals = 1));
end BuckConverter;
