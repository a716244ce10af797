// A denominator that becomes zero at t = 0.5.
model Lens
  Real g(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(g) = -1;
  der(w) = 1/(g - 0.5);
end Lens;
