model Tricycle "A vehicle seen from above: its rear wheel and a front wheel that is turned by a constant angle roll on a circle"
  import Driftless.Planar.*;
  inner World world(g = {0, 0});
  parameter Real base = 1.5 "Between the axles", delta = 0.4 "Of the front wheel";
  Body chassis(m = 100, I = 30, r(each start = 0, each fixed = true), phi(start = 0, fixed = true));
  Rod beam(r = {base, 0});
  DrivenRevolute steering(phi(start = delta));
  Driftless.Rotational.Position column;
  Driftless.Blocks.Constant angle(k = delta);
  DryWheel rear(radius = 0.3), front(radius = 0.3);
  Driftless.Rotational.Inertia rear_axle(J = 0.5, phi(fixed = true), w(start = 10, fixed = true)), front_axle(J = 0.5, phi(fixed = true));
equation
  connect(chassis.frame, rear.frame);
  connect(chassis.frame, beam.frame_a);
  connect(beam.frame_b, steering.frame_a);
  connect(angle.y, column.phi);
  connect(column.flange, steering.flange);
  connect(steering.frame_b, front.frame);
  connect(rear.flange, rear_axle.flange_a);
  connect(front.flange, front_axle.flange_a);
  annotation(experiment(StopTime = 6));
end Tricycle;
