// y is declared and never used.
model Decay
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
end Decay;
