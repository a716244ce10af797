// Twice the same equation: the structure is fine, the values are not.
model Twice
  Real x, y;
equation
  x + y = 1 + time;
  2*x + 2*y = 2 + 2*time;
end Twice;
