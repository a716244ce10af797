// The same, wrong, and so small that only the size of its own terms tells.
// expects failure: the equations
// expects failure: initial equation line 8: x = 3e-15
model ConditionAgainstAGivenQuantity
  Real x(nominal = 1e-15), y(start = 1, fixed = true);
  Real wrong = y - exp(-time);
initial equation
  x = 3e-15;
equation
  x = 2e-15*cos(time);
  der(y) = -y;
end ConditionAgainstAGivenQuantity;
