// The second constraint says the same as the first, and its force is not determined.
model Twice
  Real x(start = 1), y(start = 0), vx, vy, f1, f2;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f1 - f2;
  der(vy) = -f1 - f2 - 9.81;
  x + y = 1;
  2*x + 2*y = 2;
end Twice;
