// The modifier names an element that the class has not.
model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;

model System
  Decay fast(rat = 10);
  Decay slow(x(strat = 2));
end System;
