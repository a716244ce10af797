// A backslash in a string.
model M
  Real x(start = 1, fixed = true) "from C:\data";
equation
  der(x) = -x;
end M;
