// The usual size of a variable is positive.
model Charge
  Real q(start = 1e-9, fixed = true, nominal = -1e-9);
equation
  der(q) = -q;
end Charge;
