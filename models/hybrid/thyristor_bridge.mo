// A bridge of four thyristors feeds a coil with a resistor from the mains. In each half wave two of them are fired at the
// angle alpha, and they block when the current comes to zero. Every half wave has the same closed form.
model ThyristorBridge "fired by a clock, blocked by the current"
  constant Real pi = 3.141592653589793;
  parameter Real V(unit = "V") = 325 "peak voltage", f(unit = "Hz") = 50;
  parameter Real R(unit = "Ohm") = 10, L(unit = "H") = 0.02;
  parameter Real alpha = 2 "firing angle";
  parameter Real T(unit = "s") = 0.5/f "a half wave";
  Real i(unit = "A", start = 0, fixed = true) "through the load";
  Boolean conducts(start = false, fixed = true);
  Real side(start = -1, fixed = true) "sign of the mains voltage at the load";
equation
  L*der(i) = if conducts then side*V*sin(2*pi*f*time) - R*i else 0;
  when sample(alpha/(2*pi*f), T) then
    conducts = true;
    side = -pre(side);
  elsewhen i < 0 then
    conducts = false;
    side = pre(side);
  end when;
  when i < 0 then
    reinit(i, 0);
  end when;
  annotation(experiment(StopTime = 20, NumberOfIntervals = 1));
end ThyristorBridge;
