model CoolingBody "A hot body in air of constant temperature"
  import Driftless.Thermal.*;
  HeatCapacitor body(C = 500, T_start = 400);
  ThermalConductor surface(G = 5);
  FixedTemperature air(T = 300);
equation
  connect(body.port, surface.port_a);
  connect(surface.port_b, air.port);
  annotation(experiment(StopTime = 300));
end CoolingBody;
