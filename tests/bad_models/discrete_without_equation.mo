// Nothing gives n a value.
model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = n;
end M;
