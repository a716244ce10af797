// Real is taken.
model M
  Real Real(start = 1);
equation
  der(Real) = -Real;
end M;
