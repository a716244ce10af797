// One name for two things.
model Oscillator
  parameter Real k = 4;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real k;
equation
  der(x) = v;
  der(v) = -k*x;
end Oscillator;
