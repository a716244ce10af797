// No number has the square -1.
model Impossible
  Real x(start = 1), y;
equation
  x^2 + 1 = 0;
  y = x + time;
end Impossible;
