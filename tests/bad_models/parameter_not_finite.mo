// A parameter divided by zero.
model Spring
  parameter Real compliance = 0;
  parameter Real stiffness = 1/compliance;
  Real x(start = 1, fixed = true);
equation
  der(x) = -stiffness*x;
end Spring;
