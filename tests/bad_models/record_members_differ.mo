// The two records have not the same members.
record Point
  Real x;
  Real y;
end Point;

record Polar
  Real r;
  Real phi;
end Polar;

model System
  Point p;
  Polar q = Polar(1, time);
equation
  p = q;
end System;
