model ConicalPendulum "A body on a rod that circles about the vertical: the angle to it stays as it is"
  import Driftless.Spatial.*;
  inner World world(g = {0, 0, -9.81});
  parameter Real L = 2, theta = 0.6;
  final parameter Real omega = sqrt(9.81/(L*cos(theta))) "Of the circle";
  RodJoint rod(L = L);
  Body bob(m = 3, r_0(start = {L*sin(theta), 0, -L*cos(theta)}, fixed = {true, true, false}),
    v_0(start = {0, L*sin(theta)*omega, 0}, fixed = {true, true, false}), w(each fixed = true), Q(fixed = {true, true, true, false}));
equation
  connect(world.frame, rod.frame_a);
  connect(rod.frame_b, bob.frame);
  annotation(experiment(StopTime = 10));
end ConicalPendulum;
