// A pressure below zero.
model Boiler
  Real p(start = -1, fixed = true), h;
equation
  der(p) = 1;
  h = log(p);
end Boiler;
