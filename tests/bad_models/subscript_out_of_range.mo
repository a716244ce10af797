// The array has three elements.
model Chain
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    der(x[i]) = x[i + 1] - x[i];
  end for;
end Chain;
