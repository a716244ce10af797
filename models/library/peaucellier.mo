model Peaucellier "Peaucellier's linkage: six rods and a crank guide a point along a straight line"
  import Driftless.Planar.*;
  inner World world(g = {0, 0});
  parameter Real L = 5 "Long rods", side = 3 "Of the rhombus", c = 1.5 "Crank, and the distance of the fixed points";
  Fixed pole, bearing(r = {c, 0});
  DrivenRevolute crank;
  Driftless.Rotational.Position motor;
  Driftless.Blocks.Sine angle(amplitude = 1, f = 0.2);
  Rod arm(r = {c, 0});
  Body upper(m = 0.2, r(start = {4.167, 2.764}), phi(fixed = true), w(fixed = true)),
    lower(m = 0.2, r(start = {4.167, -2.764}), phi(fixed = true), w(fixed = true)),
    pen(m = 0.5, r(start = {5.333, 0}), phi(fixed = true), w(fixed = true));
  RodJoint long[2](each L = L), near[2](each L = side), far[2](each L = side);
equation
  connect(bearing.frame, crank.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(angle.y, motor.phi);
  connect(motor.flange, crank.flange);
  connect(pole.frame, long[1].frame_a);
  connect(pole.frame, long[2].frame_a);
  connect(long[1].frame_b, upper.frame);
  connect(long[2].frame_b, lower.frame);
  connect(arm.frame_b, near[1].frame_a);
  connect(arm.frame_b, near[2].frame_a);
  connect(near[1].frame_b, upper.frame);
  connect(near[2].frame_b, lower.frame);
  connect(upper.frame, far[1].frame_a);
  connect(lower.frame, far[2].frame_a);
  connect(far[1].frame_b, pen.frame);
  connect(far[2].frame_b, pen.frame);
  annotation(experiment(StopTime = 5));
end Peaucellier;
