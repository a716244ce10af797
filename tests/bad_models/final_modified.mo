// What the author of a class has made final, others cannot change.
model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;

model Pair
  Decay first(final rate = 2);
  Decay second;
end Pair;

model System
  Pair pair(first(rate = 3), second(rate = 4));
end System;
