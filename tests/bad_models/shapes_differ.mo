// A vector of two and a vector of three.
model Shapes
  Real x[3](each start = 1, each fixed = true);
  parameter Real a[2] = {1, 2};
equation
  der(x) = a;
end Shapes;
