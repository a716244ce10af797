// A whole number cannot stand for a real one that changes.
model Sensor
  outer Integer level;
end Sensor;

model Tank
  inner Real level = 1.5;
  Sensor sensor;
end Tank;
