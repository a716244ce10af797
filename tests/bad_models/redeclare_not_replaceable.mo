// Only what is declared replaceable can be redeclared.
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;

model Growth
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
end Growth;

model Host
  Decay part;
end Host;

model System
  Host host(redeclare Growth part);
end System;
