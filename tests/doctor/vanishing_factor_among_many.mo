// What the factor of sin(p) multiplies is 0 wherever the equation before holds, so q is prescribed: p follows, and
// nothing else is free. Beside it stands a constraint that a combination of equations repairs.
// expects: highest derivatives cancel
model VanishingFactorAmongMany
  Real x, y, z(start = 1, fixed = true), p(start = 1), q, r(start = 1), f[45](each start = 1, each fixed = true);
  Real wrong[3] = {q - time, p - 1, r - exp(-time)};
equation
  der(x) + (time + 1)*der(y) = cos(time) + 0.1*z;
  x + (time + 1)*y = sin(time);
  der(z) = y - z;
  p + r*der(q) = 1 + r;
  q - time + sin(p)*(p - 1 + r*(der(q) - 1)) = 0;
  der(r) = -r;
  for k in 1:45 loop
    der(f[k]) = -f[k];
  end for;
end VanishingFactorAmongMany;
