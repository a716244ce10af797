// A partial class lacks equations: it is there to be extended.
partial model Body
  Real x(start = 1, fixed = true);
end Body;

model System
  Body left;
end System;
