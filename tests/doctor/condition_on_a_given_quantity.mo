// Initial conditions on quantities that an equation gives at once: they say what is known, in other digits.
// expects: index 1, 1 degree of freedom
// expects start: found
// expects start: superfluous initial equation line 11: y = 0.1 + 0.2
model ConditionOnAGivenQuantity
  Real x, y, z(start = 1, fixed = true);
  Real wrong = z - exp(-time);
initial equation
  // 0.1 + 0.2 is not 0.3 in the last digit
  der(x) = 0.1 + 0.2;
  y = 0.1 + 0.2;
equation
  x = sin(0.3*time);
  y = 0.3;
  der(z) = -z;
end ConditionOnAGivenQuantity;
