// A constant stays what it is.
model Planet
  replaceable constant Real g = 9.81;
  Real w = g*time;
end Planet;

model Mars
  Planet planet(redeclare Real g = 3.7);
end Mars;
