model SpatialSliderCrank "A crank in one plane moves a slider in another; a rod with spherical joints connects them"
  import Driftless.Spatial.*;
  inner World world(g = {0, 0, -9.81});
  parameter Real R = 0.1, L = 0.4 "Crank and rod";
  parameter Real h = 0.12 "Height of the crank above the line of the slider";
  Fixed bearing(r = {0, 0, h});
  Revolute crank(n = {1, 0, 0}, phi(fixed = true), w(start = 6, fixed = true));
  Translation arm(r = {0, R, 0});
  Body flywheel(m = 1, I = 0.05*identity(3));
  RodJoint rod(L = L);
  Prismatic guide(n = {1, 0, 0}, s(start = 0.3));
  Body slider(m = 0.5);
equation
  connect(bearing.frame, crank.frame_a);
  connect(crank.frame_b, flywheel.frame);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, rod.frame_a);
  connect(world.frame, guide.frame_a);
  connect(guide.frame_b, slider.frame);
  connect(slider.frame, rod.frame_b);
  annotation(experiment(StopTime = 3));
end SpatialSliderCrank;
