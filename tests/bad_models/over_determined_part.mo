// As many equations as unknowns, but three of them speak of a and b alone, and none of d.
model Balance
  Real a, b, c, d;
equation
  a + b = 3;
  a - b = 1;
  a*b = 2;
  c = a + d;
end Balance;
