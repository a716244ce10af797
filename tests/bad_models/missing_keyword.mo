// 'then' or 'loop' is missing.
model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:3
    der(x[i]) = -x[i];
  end for;
end M;
