// The root of 0 has a value, but no slope, whatever z is: Newton's method cannot begin there.
model Root
  Real x(start = 0, fixed = true), z(start = 1);
equation
  der(x) = 1;
  sqrt(z*x) + z = 2;
end Root;
