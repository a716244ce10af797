// Two roots, of which one is a concentration.
// expects: index 1, 1 degree of freedom
// expects start: found
model ConcentrationBetweenBounds
  Real c(start = 1, fixed = true), z(min = 0, start = -10);
  Real wrong = z - (sqrt(1 + 8*c) - 1)/2;
equation
  der(c) = -z;
  z^2 + z - 2*c = 0;
end ConcentrationBetweenBounds;
