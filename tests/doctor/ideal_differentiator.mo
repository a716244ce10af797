// Capacitor and resistor exchanged: the output is a derivative of the input.
// expects: index 2, 0 degrees of freedom
model IdealDifferentiator
  Real u, v, i, y;
  Real wrong = y + cos(time);
equation
  u = 0;
  v = sin(time) - u;
  i = der(v);
  y = u - i;
end IdealDifferentiator;
