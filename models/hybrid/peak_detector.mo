// A source, an ideal diode and a capacitor that a large resistor discharges. The diode conducts for less than a
// thousandth of a period, around the peak of the source; otherwise the only state is nearly constant, and a method that
// chooses its steps by it would pass many periods at once.
//
// It conducts while the current C*der(u) + u/R is positive, up to the phase pi - atan(w*R*C), and then again from where
// the source meets the voltage that has decayed since.
model PeakDetector
  parameter Real A = 10 "amplitude of the source, V";
  parameter Real w = 314.159265358979 "rad/s";
  parameter Real C = 1e-3 "F";
  parameter Real R = 1e5 "ohm";
  Real v(start = 0, fixed = true) "at the capacitor, V";
  Real u "of the source, V";
  Real i "A";
  Real s "of the diode: its current if it conducts, otherwise its voltage";
  Real t_on(start = 0, fixed = true) "time of conduction, s";
equation
  u = A*sin(w*time);
  u = (if s > 0 then 0 else s) + v;
  i = if s > 0 then s else 0;
  C*der(v) = i - v/R;
  der(t_on) = if s > 0 then 1 else 0;
  annotation(experiment(StopTime = 1));
end PeakDetector;
