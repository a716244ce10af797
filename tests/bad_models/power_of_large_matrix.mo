// Powers of constant matrices are work as well.
model M
  parameter Integer n = 400;
  parameter Real A[n, n] = identity(n);
  parameter Real B[n, n] = A^1000;
  Real x;
equation
  x = B[1, 1]*time;
end M;
