// One degree of freedom has two states; here are three fixed values.
model Pendulum
  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true), F;
  Real vx(start = 1, fixed = true), vy;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1.01;
end Pendulum;
