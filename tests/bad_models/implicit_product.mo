// A product needs its sign.
model Oscillator
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -2x;
end Oscillator;
