// A statement that changes what the user gives.
model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
algorithm
  rate := 2;
end Decay;
