// A fast reaction in equilibrium between two species whose sum a slow one feeds.
// expects: index 2, 2 degrees of freedom
model EquilibriumWithConservation
  Real a(start = 1, fixed = true), b, c(start = 1, fixed = true), r;
  Real wrong[2] = {b - 2*a, a + b + c - 4};
equation
  der(a) = -r;
  der(b) = r + c;
  der(c) = -c;
  b = 2*a;
end EquilibriumWithConservation;
