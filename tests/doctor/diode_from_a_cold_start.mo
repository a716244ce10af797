// A diode behind a resistor with no guess at all.
// expects: index 1, 1 degree of freedom
// expects start: found
model DiodeFromAColdStart
  Real q(start = 5, fixed = true), u, i;
  Real wrong = (q - u) - 1000*i;
equation
  der(q) = -i;
  i = 1e-12*(exp(u/0.025) - 1);
  q = u + 1000*i;
end DiodeFromAColdStart;
