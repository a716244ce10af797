model SliderCrank "A crank that turns a piston: a loop of three revolute joints and a prismatic one, closed anywhere"
  import Driftless.Planar.*;
  inner World world;
  Fixed ground;
  Revolute bearing(phi(start = 0.5, fixed = true), w(start = 10, fixed = true)), pin, wrist;
  Prismatic cylinder(r = {1, 0});
  Bar crank(r = {0.1, 0}, m = 1), rod(r = {0.3, 0}, m = 0.5);
  Body piston(m = 0.8, I = 0.01);
equation
  connect(ground.frame, bearing.frame_a);
  connect(bearing.frame_b, crank.frame_a);
  connect(crank.frame_b, pin.frame_a);
  connect(pin.frame_b, rod.frame_a);
  connect(rod.frame_b, wrist.frame_a);
  connect(wrist.frame_b, piston.frame);
  connect(piston.frame, cylinder.frame_b);
  connect(cylinder.frame_a, ground.frame);
  annotation(experiment(StopTime = 2));
end SliderCrank;
