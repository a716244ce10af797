// v has every second tick of u, and w would need both at once.
model Factors
  Real u = sample(time, Clock(0.1));
  Real v = subSample(u, 2);
  Real w = u + v;
end Factors;
