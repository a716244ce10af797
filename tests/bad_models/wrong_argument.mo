// An argument that does not suit.
model M
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -cross(x, x);
end M;
