model VEightCylinders "An engine of 8 cylinders in two rows at a right angle; two rods share a throw"
  import Driftless.Planar.*;
  constant Real pi = 3.141592653589793;
  inner World world(g = {0, 0});
  parameter Integer m = 4 "Throws";
  Fixed ground;
  Revolute bearing(phi(start = 0.2, fixed = true), w(start = 20, fixed = true));
  Body flywheel(m = 5, I = 0.06);
  Rod throw[m](r = {0.05*{cos(2*k*pi/m), sin(2*k*pi/m)} for k in 1:m});
  Revolute pin[m, 2](phi(start = {{side - 0.2 - 2*k*pi/m for side in {pi/4, -pi/4}} for k in 1:m})), wrist[m, 2];
  Rod rod[m, 2](each r = {0.2, 0});
  Body piston[m, 2](each m = 0.4, each I = 0.01);
  Prismatic cylinder[m, 2](r = {{{cos(side), sin(side)} for side in {pi/4, -pi/4}} for k in 1:m}, each s(start = 0.2));
equation
  connect(ground.frame, bearing.frame_a);
  connect(bearing.frame_b, flywheel.frame);
  for k in 1:m loop
    connect(bearing.frame_b, throw[k].frame_a);
    for row in 1:2 loop
      connect(throw[k].frame_b, pin[k, row].frame_a);
      connect(pin[k, row].frame_b, rod[k, row].frame_a);
      connect(rod[k, row].frame_b, wrist[k, row].frame_a);
      connect(wrist[k, row].frame_b, piston[k, row].frame);
      connect(piston[k, row].frame, cylinder[k, row].frame_b);
      connect(cylinder[k, row].frame_a, ground.frame);
    end for;
  end for;
  annotation(experiment(StopTime = 0.5));
end VEightCylinders;
