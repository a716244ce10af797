model RadiatingBody "A body that radiates into cold space"
  import Driftless.Thermal.*;
  HeatCapacitor body(C = 1000, T_start = 600);
  BodyRadiation surface(Gr = 1);
  FixedTemperature space(T = 0);
equation
  connect(body.port, surface.port_a);
  connect(surface.port_b, space.port);
  annotation(experiment(StopTime = 100));
end RadiatingBody;
