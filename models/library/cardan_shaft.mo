model CardanShaft "Two shafts at an angle, the tips of their forks at a constant distance, as in a universal joint: the second one turns unevenly"
  import Driftless.Spatial.*;
  constant Real pi = 3.141592653589793;
  parameter Real beta = pi/6 "Between the shafts";
  inner World world(g = {0, 0, 0});
  DrivenRevolute driving(n = {1, 0, 0});
  Driftless.Rotational.Speed motor;
  Driftless.Blocks.Constant speed(k = 3);
  Revolute driven(n = {1, 0, 0});
  Rotation bend(n = {0, 0, 1}, angle = beta);
  Translation fork_a(r = {0, 1, 0}), fork_b(r = {0, 0, 1});
  RodJoint joint(L = sqrt(2));
  Body shaft(m = 2, I = 0.05*identity(3));
equation
  connect(world.frame, driving.frame_a);
  connect(speed.y, motor.w);
  connect(motor.flange, driving.flange);
  connect(driving.frame_b, fork_a.frame_a);
  connect(world.frame, bend.frame_a);
  connect(bend.frame_b, driven.frame_a);
  connect(driven.frame_b, shaft.frame);
  connect(driven.frame_b, fork_b.frame_a);
  connect(fork_a.frame_b, joint.frame_a);
  connect(fork_b.frame_b, joint.frame_b);
  annotation(experiment(StopTime = 4));
end CardanShaft;
