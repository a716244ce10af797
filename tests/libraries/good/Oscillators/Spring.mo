within Oscillators;
model Spring
  parameter Real c = 1;
  parameter Real d = 0;
  Flange a, b;
equation
  b.f = c*(b.s - a.s) + d*(der(b.s) - der(a.s));
  a.f + b.f = 0;
end Spring;
