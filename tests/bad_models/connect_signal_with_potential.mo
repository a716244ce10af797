// A potential has no direction.
connector Signal
  input Real x;
  Real e;
  flow Real f;
end Signal;

connector Plain
  Real x;
  input Real e;
  flow Real f;
end Plain;

model Part
  Signal a;
  Plain b;
end Part;

model Whole
  Part part;
equation
  connect(part.a, part.b);
end Whole;
