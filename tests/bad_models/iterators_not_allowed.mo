// This function does not run over a list.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sin(i*x for i in 1:3);
end M;
