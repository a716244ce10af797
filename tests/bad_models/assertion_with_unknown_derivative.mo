// Nobody knows the derivative of y.
model M
  Real x(start = 1), y;
equation
  der(x) = -x;
  y = x;
  assert(der(y) < 1, "too fast");
end M;
