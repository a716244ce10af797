// One value for all elements of an array.
model M
  Real x[3](start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
