// A size that cannot be used.
model M
  Real x[:](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
