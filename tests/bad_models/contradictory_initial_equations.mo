// The sum of the two is 1 in one line and 2 in the other.
model Diffusion
  Real a(start = 1), b(start = 0);
initial equation
  a + b = 1;
  2*a + 2*b = 4;
equation
  der(a) = b - a;
  der(b) = a - b;
end Diffusion;
