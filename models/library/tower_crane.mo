model TowerCrane "A load swings on a rope from the tip of a jib that turns evenly"
  import Driftless.Spatial.*;
  parameter Real radius = 5 "Of the jib", height = 10, L = 3 "Rope", omega = 0.8 "Of the jib";
  inner World world(g = {0, 0, -9.81});
  DrivenRevolute tower(n = {0, 0, 1});
  Driftless.Rotational.Speed motor;
  Driftless.Blocks.Constant speed(k = omega);
  Body mast(m = 100, I = 50*identity(3));
  Translation jib(r = {radius, 0, height});
  RodJoint rope(L = L);
  Body load(m = 20, r_0(start = {radius + 0.5, 0.1, height - L}, fixed = {true, true, false}),
    v_0(start = {0, 3, 0}, fixed = {true, true, false}), w(each fixed = true), Q(fixed = {true, true, true, false}));
equation
  connect(world.frame, tower.frame_a);
  connect(speed.y, motor.w);
  connect(motor.flange, tower.flange);
  connect(tower.frame_b, mast.frame);
  connect(tower.frame_b, jib.frame_a);
  connect(jib.frame_b, rope.frame_a);
  connect(rope.frame_b, load.frame);
  annotation(experiment(StopTime = 5));
end TowerCrane;
