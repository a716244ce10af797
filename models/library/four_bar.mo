model FourBar "Three bars and the ground, joined by four revolute joints: the loop is closed by an ordinary connection"
  import Driftless.Planar.*;
  inner World world;
  Fixed left, right(r = {4, 0});
  Revolute a(phi(start = 1.2, fixed = true), w(fixed = true)), b, c, d;
  Bar crank(r = {1, 0}, m = 1), coupler(r = {4, 0}, m = 3), rocker(r = {2.5, 0}, m = 2);
equation
  connect(left.frame, a.frame_a);
  connect(a.frame_b, crank.frame_a);
  connect(crank.frame_b, b.frame_a);
  connect(b.frame_b, coupler.frame_a);
  connect(coupler.frame_b, c.frame_a);
  connect(c.frame_b, rocker.frame_b);
  connect(rocker.frame_a, d.frame_b);
  connect(d.frame_a, right.frame);
  annotation(experiment(StopTime = 5));
end FourBar;
