// A block computes outputs from inputs; heat flows need a model.
connector HeatPort
  Real T;
  flow Real Q;
end HeatPort;

block Sensor
  HeatPort port;
  output Real y;
equation
  y = port.T;
  port.Q = 0;
end Sensor;

model Room
  Sensor sensor;
equation
  sensor.port.T = 300;
end Room;
