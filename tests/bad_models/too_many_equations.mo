// Ohm's law is written twice, in two ways.
model Circuit
  parameter Real C = 1e-6, R = 1000, U = 5;
  Real uC(start = 0, fixed = true), uR, i;
equation
  C*der(uC) = i;
  uC + uR = U;
  uR = R*i;
  i = uR/R;
end Circuit;
