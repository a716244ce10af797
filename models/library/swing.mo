model Swing "A plank on two parallel rods of equal length swings without turning, as a pendulum of their length"
  import Driftless.Planar.*;
  inner World world;
  Fixed left, right(r = {2, 0});
  RodJoint rod[2](each L = 1.5);
  Bar plank(r = {2, 0}, m = 12, body(r(start = {1 + 1.5*sin(0.8), -1.5*cos(0.8)}, fixed = {true, false}), v(fixed = {true, false})));
equation
  connect(left.frame, rod[1].frame_a);
  connect(right.frame, rod[2].frame_a);
  connect(rod[1].frame_b, plank.frame_a);
  connect(rod[2].frame_b, plank.frame_b);
  annotation(experiment(StopTime = 5));
end Swing;
