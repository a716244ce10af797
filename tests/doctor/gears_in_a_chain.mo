// Three gears: ratios in a chain, and the product of ratios a second time. The repetition is left out.
// expects: index 3, 2 degrees of freedom
// expects: is left out
model GearsInAChain
  Real a(start = 0, fixed = true), b, c, w(start = 1, fixed = true), t1, t2, t3;
  Real wrong[3] = {a - time, b - 2*time, c - 6*time};
equation
  der(a) = w;
  der(w) = -2*t1 - 6*t3;
  der(der(b)) = t1 - 3*t2;
  der(der(c)) = t2 + t3;
  b = 2*a;
  c = 3*b;
  c = 6*a;
end GearsInAChain;
