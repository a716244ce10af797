model FitTwins
  parameter Real a = 1, b = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*b*x;
end FitTwins;
