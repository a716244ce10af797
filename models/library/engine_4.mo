model FourCylinders "An engine of 4 cylinders in a row, its throws spread evenly over the turn, without load"
  import Driftless.Planar.*;
  constant Real pi = 3.141592653589793;
  inner World world(g = {0, 0});
  parameter Integer n = 4 "Cylinders";
  Fixed ground;
  Revolute bearing(phi(start = 0.3, fixed = true), w(start = 20, fixed = true));
  Body flywheel(m = 5, I = 0.05);
  Rod throw[n](r = {0.05*{cos(2*k*pi/n), sin(2*k*pi/n)} for k in 1:n});
  Revolute pin[n](phi(start = {-0.3 - 2*k*pi/n for k in 1:n})), wrist[n];
  Rod rod[n](each r = {0.2, 0});
  Body piston[n](each m = 0.4, each I = 0.01);
  Prismatic cylinder[n](each r = {1, 0}, each s(start = 0.2));
equation
  connect(ground.frame, bearing.frame_a);
  connect(bearing.frame_b, flywheel.frame);
  for k in 1:n loop
    connect(bearing.frame_b, throw[k].frame_a);
    connect(throw[k].frame_b, pin[k].frame_a);
    connect(pin[k].frame_b, rod[k].frame_a);
    connect(rod[k].frame_b, wrist[k].frame_a);
    connect(wrist[k].frame_b, piston[k].frame);
    connect(piston[k].frame, cylinder[k].frame_b);
    connect(cylinder[k].frame_a, ground.frame);
  end for;
  annotation(experiment(StopTime = 0.5));
end FourCylinders;
