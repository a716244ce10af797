// No mistake, but worth a note: the rod does not allow both starts, so y gives way.
model Pendulum
  Real x(start = 0.6), y(start = -1), F;
equation
  der(der(x)) = -F*x;
  der(der(y)) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
