// This does not belong here.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  parameter Real k = 2;
end M;
