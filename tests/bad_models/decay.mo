// A correct model: what is wrong stands on the command line.
model Decay
  parameter Real rate = 1;
  constant Real two = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
