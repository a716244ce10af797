// At rest every reaction balances, but the amount of all species is conserved: one condition follows from the others.
// expects: index 1, 3 degrees of freedom
// expects start: found
// expects start: superfluous
// expects start: fix initial equation line 11 (3): der(c) = 0
// expects start: fix c(start = 6, fixed = true)
// expects start: fix holds
model ClosedReactorAtRest
  Real a(start = 1), b(start = 2), c(start = 6), wrong[2] = {b - 2*a, c - 3*b};
initial equation
  der(a) = 0; der(b) = 0; der(c) = 0;
equation
  der(a) = -2*a + b;
  der(b) = 2*a - 4*b + c;
  der(c) = 3*b - c;
end ClosedReactorAtRest;
