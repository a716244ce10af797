model PendulumOfParts "A rod with a joint at each end holds a body: the Cartesian pendulum, from parts"
  import Driftless.Planar.*;
  inner World world(g = {0, -9.81});
  Fixed pivot;
  RodJoint rod(L = 1);
  Body bob(m = 2, I = 0.1, r(start = {1, 0}), phi(fixed = true), w(fixed = true));
equation
  connect(pivot.frame, rod.frame_a);
  connect(rod.frame_b, bob.frame);
  annotation(experiment(StopTime = 10));
end PendulumOfParts;
