// With y and vy as states the pendulum is not determined where x = 0.
model Pendulum
  Real x(start = 1), y(start = 0, stateSelect = StateSelect.always);
  Real vx, vy(start = 0, stateSelect = StateSelect.always), F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
