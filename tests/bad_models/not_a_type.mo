// This is not a type.
model M
  parameter Real k = 2;
  k x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
