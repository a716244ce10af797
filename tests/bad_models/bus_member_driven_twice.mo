// Two sensors write the same signal.
connector Out = output Real;
expandable connector Bus
end Bus;

block Sensor
  Out y = time;
end Sensor;

model M
  Bus bus;
  Sensor front, rear;
equation
  connect(front.y, bus.speed);
  connect(rear.y, bus.speed);
end M;
