// An exponential equation whose guess is on the wrong side: Newton's method alone overflows.
// expects: index 1, 1 degree of freedom
// expects start: found
model GuessOfTheWrongSign
  Real x(start = 1, fixed = true), u(start = -20);
  Real wrong = exp(u) - 1 - x;
equation
  der(x) = -x;
  exp(u) = 1 + x;
end GuessOfTheWrongSign;
