// Two circuits, coupled by a controlled source: the first has its ground, the second has none.
// expects error: only differences of p and q occur in the model: is a reference missing
model TwoCircuitsOneGround
  Real u(start = 1), i, p, q;
equation
  der(u) = -u + i;
  i = 2*(p - q);
  p - q = 3*u;
end TwoCircuitsOneGround;
