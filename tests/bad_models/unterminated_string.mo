// The closing quotation mark is missing.
model Decay
  Real x(start = 1, fixed = true) "the mass that is left;
equation
  der(x) = -x;
end Decay;
