// The part asks for the world around it: the model gets it, with a warning.
model World
  parameter Real g = 9.81;
end World;

model Body
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Body;

model System
  Body apple;
end System;
