// Relations or powers in a chain.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if 0 < x < 2 then -x else 0;
end M;
