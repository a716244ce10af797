model RollingCart "A cart on two wheels that roll, pulled by a constant force"
  import Driftless.Planar.*;
  inner World world;
  parameter Real radius = 0.4;
  Body chassis(m = 20, I = 5, r(start = {0, 0.9}));
  Rod beam[2](r = {{-1, -0.5}, {1, -0.5}});
  Revolute axle[2](each phi(start = 0));
  Body disc[2](each m = 2, each I = 0.16);
  Wheel wheel[2](each radius = radius);
  Force pull;
equation
  pull.f = {30, 0};
  connect(pull.frame, chassis.frame);
  for k in 1:2 loop
    connect(chassis.frame, beam[k].frame_a);
    connect(beam[k].frame_b, axle[k].frame_a);
    connect(axle[k].frame_b, disc[k].frame);
    connect(disc[k].frame, wheel[k].frame);
  end for;
initial equation
  chassis.r[1] = 0;
  chassis.v[1] = 0;
  axle.phi = {0, 0};
  annotation(experiment(StopTime = 4));
end RollingCart;
