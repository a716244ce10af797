model DoubleCardan "Two universal joints in a row: what the first one makes uneven the second one makes even again"
  import Driftless.Spatial.*;
  constant Real pi = 3.141592653589793;
  parameter Real beta = pi/6 "Between the shafts";
  inner World world(g = {0, 0, 0});
  Revolute driving(n = {1, 0, 0}, phi(fixed = true), w(start = 3, fixed = true)), middle(n = {1, 0, 0}), driven(n = {1, 0, 0});
  Rotation bend(n = {0, 0, 1}, angle = beta);
  Translation fork_a(r = {0, 1, 0}), fork_b(r = {0, 0, 1}), fork_c(r = {0, 0, 1}), fork_d(r = {0, 1, 0});
  RodJoint first(L = sqrt(2)), second(L = sqrt(2));
  Body input_shaft(m = 1, I = 0.4*identity(3)), output_shaft(m = 1, I = 0.6*identity(3));
equation
  connect(world.frame, driving.frame_a);
  connect(driving.frame_b, input_shaft.frame);
  connect(driving.frame_b, fork_a.frame_a);
  connect(world.frame, bend.frame_a);
  connect(bend.frame_b, middle.frame_a);
  connect(middle.frame_b, fork_b.frame_a);
  connect(middle.frame_b, fork_c.frame_a);
  connect(world.frame, driven.frame_a);
  connect(driven.frame_b, output_shaft.frame);
  connect(driven.frame_b, fork_d.frame_a);
  connect(fork_a.frame_b, first.frame_a);
  connect(fork_b.frame_b, first.frame_b);
  connect(fork_c.frame_b, second.frame_a);
  connect(fork_d.frame_b, second.frame_b);
  annotation(experiment(StopTime = 4));
end DoubleCardan;
