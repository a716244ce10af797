// An attribute misspelt.
model Decay
  Real x(strat = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
