// A constraint with an external function whose derivative is not known.
function cubic
  input Real u;
  output Real y;
external "C" y = cbrt(u);
end cubic;

model Guided
  Real x(start = 1, fixed = true);
  Real y;
  Real w;
equation
  der(x) = -y;
  der(y) = w;
  // The derivative of this equation is needed: it ties x and y together, whose derivatives occur above.
  cubic(x) + y = 1;
end Guided;
