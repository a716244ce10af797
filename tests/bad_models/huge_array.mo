// More elements than any machine holds.
model Huge
  parameter Integer n = 1000000;
  Real x[n, n];
equation
  x = zeros(n, n);
end Huge;
