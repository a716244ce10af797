model House "Two rooms, a wall and a window each, and a door between them; one is heated"
  import Driftless.Thermal.*;
  FixedTemperature outside(T = 268);
  FixedHeatFlow heater(Q_flow = 1500);
  HeatCapacitor room[2](each C = 1e5, each T(start = 285, fixed = true));
  ThermalConductor window[2](G = {12, 8}), door(G = 30);
  ThermalResistor wall[2](R = {0.05, 0.04});
equation
  connect(heater.port, room[1].port);
  connect(room[1].port, door.port_a);
  connect(door.port_b, room[2].port);
  for k in 1:2 loop
    connect(room[k].port, window[k].port_a);
    connect(window[k].port_b, outside.port);
    connect(room[k].port, wall[k].port_a);
    connect(wall[k].port_b, outside.port);
  end for;
  annotation(experiment(StopTime = 20000));
end House;
