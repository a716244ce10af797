// Components with equations of their own come later.
model Body
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Body;

model System
  Body left, right;
end System;
