// Right by itself: for options that are wrong.
model Arrays
  parameter Real p[2] = {1, 2};
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -p .* x;
end Arrays;
