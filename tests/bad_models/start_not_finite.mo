// A start value that is no number.
model Decay
  Real x(start = log(-1), fixed = true);
equation
  der(x) = -x;
end Decay;
