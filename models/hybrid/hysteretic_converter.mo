// A step-down converter whose switch keeps the current of the coil between two bounds: every event is found as a root of
// the solution. Between events the equations are linear.
model HystereticConverter "the current decides when the switch opens and closes"
  parameter Real V(unit = "V") = 24 "input";
  parameter Real L(unit = "H") = 1e-4, C(unit = "F") = 1e-4, R(unit = "Ohm") = 2;
  parameter Real low(unit = "A") = 4.5, high(unit = "A") = 5.5;
  Real i(unit = "A", start = 5, fixed = true) "through the coil";
  Real v(unit = "V", start = 10, fixed = true) "of the capacitor";
  Boolean closed(start = true, fixed = true);
equation
  L*der(i) = (if closed then V else 0) - v;
  C*der(v) = i - v/R;
  when i < low then
    closed = true;
  elsewhen i > high then
    closed = false;
  end when;
  annotation(experiment(StopTime = 0.05, NumberOfIntervals = 1));
end HystereticConverter;
