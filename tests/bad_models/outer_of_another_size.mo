// The sensor would see only a part of it.
model Sensor
  outer Real T[2];
  Real mean = sum(T)/2;
end Sensor;

model Rod
  inner Real T[3] = {280, 290, 300};
  Sensor sensor;
end Rod;
