// The derivative of y occurs nowhere.
model Decay
  Real x(start = 1), y(stateSelect = StateSelect.always);
equation
  der(x) = -x;
  y = x^2;
end Decay;
