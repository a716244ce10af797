// No mistake, but worth a note: nobody says from where the pendulum is released, so the start values are taken.
model Pendulum
  Real x(start = 1), y(start = 0), F;
equation
  der(der(x)) = -F*x;
  der(der(y)) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
