// The value belongs to the inner component.
model Sensor
  outer parameter Real g = 10;
  Real a = g;
end Sensor;

model Lab
  inner parameter Real g = 9.81;
  Sensor sensor;
end Lab;
