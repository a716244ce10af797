// Mattsson & Söderlind 1993, Example 5: the second equation, differentiated, has the derivatives of the first.
// expects: index 2, 0 degrees of freedom
// expects: line 9 is replaced by (line 9) - der(line 10)
model DerivativeOfTheOther
  Real x, y;
  Real wrong[2] = {x - (time - time^3), y - (time + time^2)};
initial equation
equation
  der(x) + time*der(y) = 1 + time - time^2;
  x + time*y = time + time^2;
end DerivativeOfTheOther;
