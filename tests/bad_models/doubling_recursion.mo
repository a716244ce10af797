// Two calls in each call.
function fibonacci
  input Integer n;
  output Integer y;
algorithm
  y := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
end fibonacci;
model M
  parameter Integer n = fibonacci(40);
  Real x;
equation
  x = n*time;
end M;
