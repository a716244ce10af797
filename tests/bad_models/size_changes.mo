// The size of an array must be known before the run.
model Sizes
  Real n;
  Real x[integer(n)];
equation
  n = 3;
  for i in 1:3 loop
    x[i] = i;
  end for;
end Sizes;
