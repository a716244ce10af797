// The section of equations is not announced.
model Decay
  Real x(start = 1, fixed = true);
  der(x) = -x;
end Decay;
