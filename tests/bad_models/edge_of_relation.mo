// edge is for variables.
model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -x;
  n = if edge(x < 0.5) then 1 else 0;
end M;
