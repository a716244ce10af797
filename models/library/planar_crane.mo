model PlanarCrane "A trolley that rolls freely, with a load on a bar"
  import Driftless.Planar.*;
  inner World world;
  Fixed ground;
  Prismatic rail(s(fixed = true), v(fixed = true));
  Body trolley(m = 5, I = 1);
  Revolute hinge(phi(start = -1, fixed = true), w(fixed = true));
  Bar rope(r = {2, 0}, m = 1);
equation
  connect(ground.frame, rail.frame_a);
  connect(rail.frame_b, trolley.frame);
  connect(trolley.frame, hinge.frame_a);
  connect(hinge.frame_b, rope.frame_a);
  annotation(experiment(StopTime = 4));
end PlanarCrane;
