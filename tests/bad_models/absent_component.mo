// Connections of a conditional component vanish with it; an equation that names it has no meaning without it.
model Part
  Real x = time;
end Part;

model System
  parameter Boolean with_part = false;
  Part part if with_part;
  Real y = 2*part.x;
end System;
