// Only one of the two can be changed before a run.
connector Fixed
  constant Integer n = 2;
  Real v;
  flow Real i;
end Fixed;

connector Free
  parameter Integer n = 2;
  Real v;
  flow Real i;
end Free;

model Part
  Fixed a;
  Free b;
equation
  a.v = time;
  b.i = 0;
end Part;

model Whole
  Part part;
equation
  connect(part.a, part.b);
end Whole;
