model PrecessingTop "A heavy top whose spin is chosen such that it precesses steadily"
  import Driftless.Spatial.*;
  inner World world(g = {0, 0, -9.81});
  parameter Real theta = 0.5 "Angle of the axis to the vertical";
  parameter Real Omega = 2 "Angular velocity of the precession";
  parameter Real m = 1, l = 0.3 "Mass, distance of its centre";
  parameter Real A = 0.02, C = 0.01 "Moments of inertia about the centre, across and along the axis";
  final parameter Real spin = (m*9.81*l + (A + m*l^2 - C)*Omega^2*cos(theta))/(C*Omega);
  Revolute precession(n = {0, 0, 1}, phi(fixed = true), w(start = Omega, fixed = true));
  Revolute nutation(n = {1, 0, 0}, phi(start = theta, fixed = true), w(fixed = true));
  Revolute axis(n = {0, 0, 1}, phi(fixed = true), w(start = spin, fixed = true));
  Body top(m = m, r = {0, 0, l}, I = diagonal({A, A, C}));
equation
  connect(world.frame, precession.frame_a);
  connect(precession.frame_b, nutation.frame_a);
  connect(nutation.frame_b, axis.frame_a);
  connect(axis.frame_b, top.frame);
  annotation(experiment(StopTime = 3));
end PrecessingTop;
