// Nobody knows when the middle between two events will have been.
model Divided
  Clock c = Clock(time > 0.5);
  Real u = sample(time, c);
  Real v = superSample(u, 2);
end Divided;
