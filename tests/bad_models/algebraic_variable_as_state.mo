// y follows from the time alone.
model Decay
  Real x(start = 1), y(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = time^2;
end Decay;
