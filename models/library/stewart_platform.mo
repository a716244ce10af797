model StewartPlatform "Six legs of given lengths carry a platform: it follows the course that the lengths were computed from"
  import Driftless.Spatial.*;
  constant Real pi = 3.141592653589793;
  inner World world(g = {0, 0, -9.81});
  parameter Real a[6, 3] = {{2*cos(angle*pi/180), 2*sin(angle*pi/180), 0} for angle in {-10, 10, 110, 130, 230, 250}} "Feet";
  parameter Real b[6, 3] = {{cos(angle*pi/180), sin(angle*pi/180), 0} for angle in {-50, 50, 70, 170, 190, 290}} "On the platform";
  Real course[3] = {0.2*sin(time), 0.1*sin(2*time), 2 + 0.15*(1 - cos(time))} "Of the platform, which does not turn";
  Fixed foot[6](r = a);
  Universal ankle[6](each n_a = {1, 0, 0}, each n_b = {0, 1, 0});
  DrivenPrismatic leg[6](each n = {0, 0, 1}, each s(start = 2));
  Driftless.Translational.Position drive[6];
  Spherical hip[6];
  Translation arm[6](r = b);
  Body platform(m = 50, I = 10*identity(3), r_0(start = {0, 0, 2}));
equation
  for k in 1:6 loop
    drive[k].s = sqrt((course + b[k] - a[k])*(course + b[k] - a[k]));
    connect(drive[k].flange, leg[k].flange);
    connect(foot[k].frame, ankle[k].frame_a);
    connect(ankle[k].frame_b, leg[k].frame_a);
    connect(leg[k].frame_b, hip[k].frame_a);
    connect(hip[k].frame_b, arm[k].frame_b);
    connect(arm[k].frame_a, platform.frame);
  end for;
  annotation(experiment(StopTime = 3));
end StewartPlatform;
