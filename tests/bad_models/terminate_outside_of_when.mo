model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  terminate("the end");
end M;
