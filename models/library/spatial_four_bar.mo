model SpatialFourBar "A crank and a rocker whose axes cross in space, with a rod between them"
  import Driftless.Spatial.*;
  inner World world(g = {0, 0, -9.81});
  Fixed bearing(r = {1.5, -1, 0});
  Revolute crank(n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 5, fixed = true)), rocker(n = {1, 0, 0}, phi(start = 1.3));
  Translation short_arm(r = {0.2, 0, 0}), long_arm(r = {0, 1, 0});
  Body wheel(m = 2, I = 0.5*identity(3)), beam(m = 1, r = {0, 0.5, 0}, I = 0.1*identity(3));
  RodJoint rod(L = sqrt(3.3));
equation
  connect(world.frame, crank.frame_a);
  connect(crank.frame_b, wheel.frame);
  connect(crank.frame_b, short_arm.frame_a);
  connect(bearing.frame, rocker.frame_a);
  connect(rocker.frame_b, beam.frame);
  connect(rocker.frame_b, long_arm.frame_a);
  connect(short_arm.frame_b, rod.frame_a);
  connect(long_arm.frame_b, rod.frame_b);
  annotation(experiment(StopTime = 3));
end SpatialFourBar;
