// Two parts ask for surroundings of one name and of different classes.
model World
  parameter Real g = 9.81;
end World;

model Moon
  parameter Real g = 1.62;
end Moon;

model Body
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Body;

model Rock
  outer Moon world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Rock;

model System
  Body apple;
  Rock rock;
end System;
