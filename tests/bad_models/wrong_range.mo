// A range that is none.
model M
  Real x[3](each start = 1, each fixed = true);
equation
  for i in 1:0:3 loop
    der(x[i]) = -x[i];
  end for;
end M;
