// Both coordinates are fixed, but not at a distance of 1.
model Pendulum
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), F;
  Real vx, vy;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
