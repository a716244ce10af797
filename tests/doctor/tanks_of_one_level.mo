// Two tanks joined by a wide pipe have one level: the flow between them follows from its rate.
// expects: index 2, 1 degree of freedom
model TanksOfOneLevel
  Real h1(start = 1, fixed = true), h2, q;
  Real wrong[2] = {h1 - exp(-time/3), q - 2*exp(-time/3)/3};
equation
  der(h1) = q - h1;
  2*der(h2) = -q;
  h1 = h2;
end TanksOfOneLevel;
