// A number has no components.
connector Signal
  extends Real;
  Real quality = 1;
  flow Real f;
end Signal;

model Line
  Signal s;
end Line;
