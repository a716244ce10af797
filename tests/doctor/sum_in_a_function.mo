// The derivatives occur only as a sum inside nonlinear functions: the sum is the variable.
// expects: index 1, 1 degree of freedom
// expects: der(y) + der(x) becomes a variable of its own
model SumInAFunction
  Real x(start = 0, fixed = true), y;
  Real wrong[2] = {x + y - 1 - sin(time), x - y + 1 - sin(time)};
equation
  der(x) + der(y) + exp(der(x) + der(y)) = cos(time) + exp(cos(time));
  sin(der(x) + der(y)) + x - y + 1 = sin(cos(time)) + sin(time);
end SumInAFunction;
