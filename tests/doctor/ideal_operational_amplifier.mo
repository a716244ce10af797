// An integrator with an ideal amplifier: the input has no voltage, the output no equation of its own.
// expects: index 1, 1 degree of freedom
model IdealOperationalAmplifier
  Real u, v(start = 0, fixed = true), i, y;
  Real wrong = y + (1 - cos(time));
equation
  u = 0;
  i = sin(time) - u;
  v = u - y;
  der(v) = i;
end IdealOperationalAmplifier;
