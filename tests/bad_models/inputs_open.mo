// An input that nobody gives.
model Drive
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
end Drive;
