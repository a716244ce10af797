// A path for the last of three integrators.
// expects: index 4, 0 degrees of freedom
model ConstraintOfThirdOrder
  Real x, v, a, f;
  Real wrong = f - 6;
equation
  der(x) = v;
  der(v) = a;
  der(a) = f;
  x = time^3;
end ConstraintOfThirdOrder;
