// A slip of the pen.
model Pendulum
  parameter Real length = 1;
  Real phi(start = 1, fixed = true), omega(start = 0, fixed = true);
equation
  der(phi) = omega;
  lenght*der(omega) = -9.81*sin(phi);
end Pendulum;
