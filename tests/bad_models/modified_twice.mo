// Which of the two is meant?
model Spring
  parameter Real c = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -c*x;
end Spring;

model Suspension
  Spring front(c = 2, c = 3);
end Suspension;
