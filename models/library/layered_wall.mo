model LayeredWall "Three layers between two temperatures: resistances in a row"
  import Driftless.Thermal.*;
  FixedTemperature inside(T = 293), outside(T = 263);
  ThermalResistor layer[3](R = {0.1, 2, 0.3});
equation
  connect(inside.port, layer[1].port_a);
  connect(layer[1].port_b, layer[2].port_a);
  connect(layer[2].port_b, layer[3].port_a);
  connect(layer[3].port_b, outside.port);
  annotation(experiment(StopTime = 1));
end LayeredWall;
