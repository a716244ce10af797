model HeatedRod "A rod between a heater and the air, in 20 slices"
  import Driftless.Thermal.*;
  FixedHeatFlow heater(Q_flow = 50);
  Rod rod(n = 20, C = 500, G = 2, T_start = 293.15);
  ThermalConductor surface(G = 1.5);
  FixedTemperature air(T = 293.15);
equation
  connect(heater.port, rod.port_a);
  connect(rod.port_b, surface.port_a);
  connect(surface.port_b, air.port);
  annotation(experiment(StopTime = 3000));
end HeatedRod;
