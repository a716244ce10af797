// The part asks for the world around it, but there is none, and a partial class cannot be added.
partial model World
  parameter Real g = 9.81;
  annotation(missingInnerMessage = "Which world?");
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
