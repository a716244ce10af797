model DrainingTank "A tank that drains through an orifice, by the law of Torricelli"
  import Driftless.Hydraulic.*;
  Tank tank(A = 0.5, h_start = 2);
  Orifice hole(A = 1e-3, Cd = 0.6);
  Ambient ambient;
equation
  connect(tank.port, hole.port_a);
  connect(hole.port_b, ambient.port);
  annotation(experiment(StopTime = 200));
end DrainingTank;
