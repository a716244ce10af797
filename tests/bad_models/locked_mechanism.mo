// A crank that is longer than the rod: they lock when the rod stands upright, at t = asin(0.8) - 0.3.
model Locked
  parameter Real r = 1;
  Real phi(start = 0.3, fixed = true), psi(start = -0.3), s;
equation
  der(phi) = 1;
  r*sin(phi) + 0.8*sin(psi) = 0;
  s = r*cos(phi) + 0.8*cos(psi);
  annotation(experiment(StopTime = 2));
end Locked;
