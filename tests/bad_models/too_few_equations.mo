// The resistor's law was forgotten.
model Circuit
  parameter Real C = 1e-6, U = 5;
  Real uC(start = 0, fixed = true), uR, i;
equation
  C*der(uC) = i;
  uC + uR = U;
end Circuit;
