model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  (x > 0) = true;
end M;
