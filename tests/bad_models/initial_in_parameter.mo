model M
  parameter Boolean first = initial();
  Real x(start = 1, fixed = true);
equation
  der(x) = if first then -x else x;
end M;
