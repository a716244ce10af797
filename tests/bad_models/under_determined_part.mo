// Two pendulums, and the second rod was forgotten: its force cannot be known.
model Pendula
  Real x1(start = 1), y1(start = 0), F1, x2(start = 1), y2(start = 0), F2;
equation
  der(der(x1)) = -F1*x1;
  der(der(y1)) = -F1*y1 - 9.81;
  x1^2 + y1^2 = 1;
  der(der(x2)) = -F2*x2;
  der(der(y2)) = -F2*y2 - 9.81;
end Pendula;
