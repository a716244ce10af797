model M
  Real x(start = 1, fixed = true);
  discrete Real u;
  Boolean b;
equation
  der(x) = -x;
  u = 2*time;
  b = noEvent(x > 0.5);
end M;
