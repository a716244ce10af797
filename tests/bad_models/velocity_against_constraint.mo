// The velocity points along the rod: the hidden constraint forbids it.
model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), F;
initial equation
  der(x) = 1;
equation
  der(der(x)) = -F*x;
  der(der(y)) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
