// Nothing else determines x.
model Decay
  Real x(start = 1, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end Decay;
