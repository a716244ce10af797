model DoublePendulumOfParts "Two bars, one below the other"
  import Driftless.Planar.*;
  inner World world;
  Fixed ground;
  Revolute shoulder(phi(start = 0, fixed = true), w(fixed = true)), elbow(phi(start = 0.7, fixed = true), w(fixed = true));
  Bar upper(r = {1, 0}, m = 1), lower(r = {0.8, 0}, m = 2);
equation
  connect(ground.frame, shoulder.frame_a);
  connect(shoulder.frame_b, upper.frame_a);
  connect(upper.frame_b, elbow.frame_a);
  connect(elbow.frame_b, lower.frame_a);
  annotation(experiment(StopTime = 3));
end DoublePendulumOfParts;
